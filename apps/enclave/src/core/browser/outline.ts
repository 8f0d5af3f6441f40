import type { Screenshot } from './browser.ts';
import type { Driver } from './driver.ts';
import { Input } from './input.ts';
import type { Located } from './locate.ts';
import type { Box, Paint } from './png.ts';
import { OperationFailed } from './problem.ts';

/** In pixels. */
const thickness = 3;
/** RGB: on no page by default, and told apart from white and black. */
const magenta = [0xd0, 0x00, 0x8f] as const;

/** The picture with lines around the element and its form, drawn outside of the page: no page can draw or hide them. */
export async function outlined(
  driver: Driver,
  { frame, token }: Located,
  { png, width, height }: Screenshot,
  paint: Paint,
): Promise<Screenshot> {
  const [boxes, origin] = await Promise.all([
    driver.call(frame, 'boxesOf', token),
    new Input(driver).inPage(frame, { x: 0, y: 0 }),
  ]);
  const lines = boxes.flatMap((box) => linesAround({ ...box, x: box.x + origin.x, y: box.y + origin.y }));
  const drawn = await paint(png, lines, magenta);
  if (drawn === null) throw new OperationFailed('interrupted');
  return { png: drawn, width, height };
}

/** Around the box, so that nothing of it is covered. */
function linesAround({ x, y, width, height }: Box): Box[] {
  const [left, top] = [x - thickness, y - thickness];
  const [across, down] = [width + 2 * thickness, height + 2 * thickness];
  return [
    { x: left, y: top, width: across, height: thickness },
    { x: left, y: y + height, width: across, height: thickness },
    { x: left, y: top, width: thickness, height: down },
    { x: x + width, y: top, width: thickness, height: down },
  ];
}
