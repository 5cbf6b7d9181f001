import type { RawAnswer } from './calls.ts'

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

/** The same for a field that is no text, so that its length is nothing special. */
export const allOf = (outcome: string, changes: Partial<Outcomes> = {}): Outcomes =>
  all(outcome, { '10,000 characters': outcome, ...changes })

/** A field with its wire name, a right value, that of another field, and the outcomes. */
export type BadField = readonly [name: string, right: string, other: string, outcomes: Outcomes]

/** Words of sentences that say what is expected. */
const SAYS = /\b(must|has|have|is a|at most|counted from|fill in|enter|upload|choose|copy)\b/i

/**
 * Sends each spoilt value of a field. The outcome is `taken` for an answer with one of the reasons in `taken`, or with
 * none; else the reason of the refusal, which has to name this field and to tell what is expected.
 */
export async function outcomesOf(
  [name, right, other]: BadField,
  send: (value: string, bad: Bad) => Promise<RawAnswer>,
  taken: readonly string[] = [],
): Promise<Outcomes> {
  const outcomes = BAD.map(async (bad) => {
    const { status, body, text } = await send(SPOILT[bad](right, other), bad)
    const { reason, field } = (body?.data ?? {}) as { reason?: string; field?: string }
    if (status >= 500 || body === null) return [bad, `HTTP ${status} ${text.slice(0, 100)}`]
    if (reason === undefined || taken.includes(reason)) return [bad, 'taken']
    const faults = [
      ...(field === name ? [] : [`names ${field ?? 'no field'}`]),
      ...(SAYS.test(body.msg) ? [] : [`says only: ${body.msg}`]),
    ]
    return [bad, [reason, ...faults].join(', ')]
  })
  return Object.fromEntries(await Promise.all(outcomes)) as Outcomes
}
