/** One digit of each: Arabic, Persian, Devanagari, Bengali, Thai, full width. */
const SIX_SCRIPTS = '\u0661\u06f2\u0969\u09ea\u0e55\uff16'

export type Bad =
  | 'empty'
  | 'only spaces'
  | '10,000 characters'
  | 'both scripts mixed'
  | 'NUL'
  | 'a mark of direction'
  | 'digits of six scripts'
  | 'the value of another field'

/** What people and programs put into a field, given a right value and that of another field. */
export const SPOILT: Readonly<Record<Bad, (right: string, other: string) => string>> = {
  empty: () => '',
  'only spaces': () => ' \u3000\u00a0 ',
  '10,000 characters': (right) => right.repeat(10_000).slice(0, 10_000),
  'both scripts mixed': (right) => `\u0410${right.slice(1)}`,
  NUL: (right) => `${right}\u0000`,
  'a mark of direction': (right) => `\u202e${right}`,
  'digits of six scripts': () => SIX_SCRIPTS,
  'the value of another field': (_, other) => other,
}
export const BAD = Object.keys(SPOILT) as Bad[]

/** What becomes of each: `taken`, or the code of the refusal. */
export type Outcomes = Readonly<Record<Bad, string>>

/** The same outcome for each of them, but for the `changes`. */
export const all = (outcome: string, changes: Partial<Outcomes> = {}): Outcomes => ({
  ...(Object.fromEntries(BAD.map((bad) => [bad, outcome])) as Outcomes),
  '10,000 characters': 'textTooLong',
  ...changes,
})
