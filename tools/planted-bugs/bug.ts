/** A bug that somebody could have written: `text`, which stands once in `file`, becomes `replacement`. */
export type Bug = {
  readonly file: string
  readonly text: string
  readonly replacement: string
  /** What is wrong then, in one sentence. */
  readonly says: string
  /** Where the tests stand that are to catch it; without them those of core, engine and verify. */
  readonly tests?: readonly string[]
}

/** The bugs of one file: the text, what takes its place, and what is wrong then. */
export const bugsOf = (file: string, ...bugs: readonly (readonly [string, string, string])[]): Bug[] =>
  bugs.map(([text, replacement, says]) => ({ file, text, replacement, says }))

/** The file's text with the bug in it. Throws where its text does not stand there exactly once. */
export function plant(source: string, { file, text, replacement }: Bug): string {
  const count = source.split(text).length - 1
  if (count !== 1) throw new Error(`${file} holds ${count} times: ${text}`)
  return source.replace(text, () => replacement)
}
