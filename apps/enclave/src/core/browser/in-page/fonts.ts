declare const document: {
  readonly fonts: Iterable<Face>;
  readonly createElement: (name: 'canvas') => { readonly getContext: (kind: '2d') => Context };
};

type Face = { readonly status: string; readonly style: string; readonly weight: string };
type Context = {
  font: string;
  readonly measureText: (text: string) => {
    readonly width: number;
    readonly fontBoundingBoxAscent: number;
    readonly fontBoundingBoxDescent: number;
    readonly actualBoundingBoxAscent: number;
    readonly actualBoundingBoxDescent: number;
    readonly actualBoundingBoxLeft: number;
    readonly actualBoundingBoxRight: number;
  };
};

/** Measures how far the glyphs of a page's own web fonts reach. */
export const fonts = {
  /** Returns whether one of these lists of families has letters that reach beyond the box of their text. */
  outgrow(families: string[]): boolean {
    const brought = [...document.fonts].filter(({ status }) => status === 'loaded');
    const cuts = new Set(
      brought.map(({ style, weight }) => `${style === 'normal' ? style : 'italic'} ${weight.split(' ')[0]}`),
    );
    if (cuts.size === 0) return false;
    const context = document.createElement('canvas').getContext('2d');
    return families.some((family) =>
      [...cuts].some((cut) => inPage.outgrows(context, `${cut} 100px ${family}`)),
    );
  },

  /**
   * Returns whether glyphs exceed the line's box by more than 15 %, which ordinary fonts stay under. A font
   * that cannot be measured counts as exceeding.
   */
  outgrows(context: Context, font: string): boolean {
    context.font = '1px serif';
    context.font = font;
    const letters = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i));
    const found = context.measureText(letters.join(''));
    const beyond = [
      found.actualBoundingBoxAscent - found.fontBoundingBoxAscent,
      found.actualBoundingBoxDescent - found.fontBoundingBoxDescent,
      found.actualBoundingBoxLeft,
      found.actualBoundingBoxRight - found.width,
    ];
    return !context.font.includes('100px') || beyond.some((by) => !(by <= 15));
  },
};
