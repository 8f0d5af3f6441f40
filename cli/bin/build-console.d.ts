export declare function isConsoleFresh(): boolean;
export declare function buildConsole(): Promise<void>;
