/** What the module `src/NAME.ts` exports, bundled anew. */
export declare function bundled(name: string): Promise<unknown>;
