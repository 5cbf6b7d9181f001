/** A plausible mistake: `text`, which occurs once in `file`, becomes `replacement`. */
export type Mutation = {
  readonly file: string
  readonly text: string
  readonly replacement: string
  /** What is wrong then, in one sentence. */
  readonly description: string
  /** Paths of the tests that must catch it; by default those of core, engine and verify. */
  readonly tests?: readonly string[]
}

/** The mutations of one file: text, replacement and description. */
export const mutationsOf = (
  file: string,
  ...mutations: readonly (readonly [string, string, string])[]
): Mutation[] =>
  mutations.map(([text, replacement, description]) => ({ file, text, replacement, description }))

/** The source with the mutation applied. Throws unless its text occurs exactly once. */
export function applied(source: string, { file, text, replacement }: Mutation): string {
  const count = source.split(text).length - 1
  if (count !== 1) throw new Error(`${file} contains ${count} times: ${text}`)
  return source.replace(text, () => replacement)
}
