import { readFileSync } from 'node:fs'
import { LANGUAGE_CODES, type LanguageCode } from '@fairlot/contract'
import { expect } from 'vitest'
import { BAD, SPOILT, type Bad, type Outcomes } from './bad-values.ts'
import { dataOf, type RawAnswer } from './calls.ts'

/** A field by its name on the wire, a right value, that of another field, and what becomes of each bad value. */
export type FieldRow = readonly [field: string, right: string, other: string, outcomes: Outcomes]

export type BadCase = {
  readonly field: string
  readonly bad: Bad
  readonly value: string
  /** `taken`, a reason, or `reason at field` where another field is named. */
  readonly outcome: string
  /** Of the caller. */
  readonly language: LanguageCode
}

/** Every bad value in every field, each in another language. */
export const badCases = (rows: readonly FieldRow[]): readonly BadCase[] =>
  rows.flatMap(([field, right, other, outcomes], row) =>
    BAD.map((bad, index) => ({
      field,
      bad,
      value: SPOILT[bad](right, other),
      outcome: outcomes[bad],
      language: LANGUAGE_CODES[(row * BAD.length + index) % LANGUAGE_CODES.length] ?? 'en',
    })),
  )

const CATALOGUES = new Map(
  LANGUAGE_CODES.map((language) => {
    const file = new URL(`../platform/i18n/${language}.json`, import.meta.url)
    const { refusal } = JSON.parse(readFileSync(file, 'utf8')) as { refusal: Record<string, string> }
    return [language, refusal]
  }),
)

/**
 * Expects the outcome of a case, and that a refusal is in the caller's language: the words of its catalogue around the values.
 * `taken`: what the rest of the form is refused for, as an outcome; null for a success.
 */
export function expectOutcome(
  answer: RawAnswer,
  { field, outcome, language }: BadCase,
  taken: string | null,
): void {
  expect(answer.status).toBe(200)
  const refusal = dataOf<{ reason: string; field?: string } | null>(answer)
  if (answer.body?.code === 1) return expect([outcome, taken]).toEqual(['taken', null])
  const expected = outcome === 'taken' ? (taken ?? 'a success') : outcome
  const [reason = '', at = outcome === 'taken' ? undefined : field] = expected.split(' at ')
  expect([refusal?.reason, refusal?.field]).toEqual([reason, at])
  const sentence = CATALOGUES.get(language)?.[reason] ?? ''
  for (const words of sentence.split(/\{[^}]*\}/)) expect(answer.body?.msg).toContain(words)
}
