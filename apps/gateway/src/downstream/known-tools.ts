import type { Logger } from '@countersign/service/logger';
import { fingerprint } from '../pinning/definition.ts';
import type { Token } from '../rules/tokens.ts';
import type { Judgement, OfferedTool, Pins } from '../pinning/pins.ts';
import { type ArgumentCheck, checkArguments } from './arguments.ts';
import { announcedPrice, type Price } from './prices.ts';
import type { ListedTool, ReadTool } from './tool-list.ts';

export type KnownTool = {
  readonly listed: ListedTool;
  readonly check: ArgumentCheck;
  /** Whether arguments fit the schema, which is a part of it. */
  readonly fits: ArgumentCheck;
  /** The price in the tool's definition; null if it has none. */
  readonly announced: Price | null;
  /** How the tool is called, for a connection to its service. */
  readonly operation: unknown;
  /** The definition that is waiting to be accepted; null for a tool that may be called. */
  readonly waiting: OfferedTool | null;
};
export type KnownTools = ReadonlyMap<string, KnownTool>;

/** The tools of one service: judged when it lists them, so that a call only has to look. */
export type ToolKeeper = {
  readonly take: (
    tools: readonly ReadTool[],
    before: KnownTools,
    serviceId: string | null,
  ) => Promise<KnownTools>;
  /** Returns whether the tool is the one that was accepted: the one answer for listings and for calls. */
  readonly isAccepted: (tool: KnownTool) => boolean;
};

/** `service` is the service's key in the pins; without pins every tool is the right one. */
export function toolKeeper(
  pins: Pins | null,
  service: string,
  tokens: readonly Token[],
  log: Logger,
): ToolKeeper {
  return {
    async take(tools, before, serviceId) {
      const offered = pins === null ? [] : tools.map(offer);
      const judgement = await pins?.judge(service, offered);
      if (judgement !== undefined) tell(log, serviceId, judgement);
      return new Map(
        tools.map((tool) => {
          const { name } = tool.listed;
          const waiting = judgement?.changed.get(name) ?? null;
          const fits = fitsFor(tool, before.get(name));
          const check: ArgumentCheck = (args) => fits(args) ?? tool.check?.(args) ?? null;
          const announced = announcedPrice(tool.definition, tokens);
          const { listed, operation } = tool;
          return [name, { listed, check, fits, operation, waiting, announced }];
        }),
      );
    },
    isAccepted: ({ waiting }) => waiting === null || pins === null || pins.isAccepted(service, waiting),
  };
}

/** More of a definition than this is not kept for people to read. */
const maxShownChars = 4096;

const offer = ({ listed, definition }: ReadTool): OfferedTool => ({
  name: listed.name,
  fingerprint: fingerprint(definition),
  shown: JSON.stringify(listed).slice(0, maxShownChars),
});

function tell(log: Logger, serviceId: string | null, { news, added }: Judgement): void {
  for (const { name, changed } of news)
    log.warn(
      { serviceId, toolName: name, changed },
      'a tool has changed and is not called until "countersign gateway accept" accepts it',
    );
  for (const toolName of added)
    log.info({ serviceId, toolName }, 'a new tool of a known service is accepted');
}

/** Compiling a schema costs; an unchanged tool keeps its check. */
const fitsFor = ({ listed, inputSchema }: ReadTool, before: KnownTool | undefined): ArgumentCheck =>
  before !== undefined && JSON.stringify(before.listed.inputSchema) === JSON.stringify(listed.inputSchema)
    ? before.fits
    : checkArguments(inputSchema);

/** Returns the accepted form of a tool whose definition has changed: agents must not see the new text. */
export const hidden = ({ listed }: KnownTool): ListedTool => ({
  name: listed.name,
  description:
    'This tool is not the one that was accepted, and is not called. Its owner can accept it with "countersign gateway accept".',
  inputSchema: { type: 'object' },
});
