/** The right to write to a database, for one program at a time. It dies with its process. */
export type DatabaseLock = { release(): Promise<void> }

/** One attempt; null while another program has it. */
export type TakeLock = (onLost: (reason: string) => void) => Promise<DatabaseLock | null>
