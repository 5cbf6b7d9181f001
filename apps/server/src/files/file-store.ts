/** Where the bytes of files lie, by their keys. Each call may be made again: it then does the same once more. */
export type FileStore = {
  put(key: string, bytes: Buffer, type: string): Promise<void>
  /** Null when there is none. */
  get(key: string): Promise<Buffer | null>
  /** Also of one that is not there. */
  remove(key: string): Promise<void>
}
