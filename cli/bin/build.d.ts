export declare const entry: string;
export declare function isFresh(): boolean;
export declare function build(): Promise<void>;
export declare function buildBeside(source: string, name: string): Promise<string>;
