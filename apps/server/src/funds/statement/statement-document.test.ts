import { LANGUAGE_CODES, tagOf } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { statementText } from './statement-document.ts'

const AT = Date.UTC(2026, 0, 2, 13, 45)
/** The isolate around a date, which keeps it in one piece. */
const ISOLATE = /^\u2066(.*)\u2069$/

test.each(LANGUAGE_CODES)(
  'a statement in %s has Latin digits, the year 2026 and no marks of direction',
  (code) => {
    const text = statementText(tagOf(code))
    const [day, moment] = [text.day(AT), text.moment(AT)].map((date) => ISOLATE.exec(date)?.[1] ?? '')
    expect(day).toContain('2026')
    expect(moment).toMatch(/2026.*13:45|13:45.*2026|2026.*13\.45/)
    const { main, rest } = text.money(-1_234_567_891_234n)
    expect(main + rest).toMatch(/^\u22121[.,\u00a0\u202f’]?234[.,\u00a0\u202f’]?567[.,]891234$/)
    expect(text.decimal(15n, 2)).toMatch(/^0[.,]15$/)
    for (const each of [day, moment, main, rest]) {
      expect(each).not.toMatch(/(?![0-9])\p{Nd}/u)
      expect(each).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/)
    }
  },
)

test('an amount has the signs of its language', () => {
  expect(statementText('de').change(1_234_500_000n)).toEqual({ main: '+1.234,50', rest: '0000' })
  expect(statementText('ar').change(-1_234_500_000n)).toEqual({ main: '\u22121,234.50', rest: '0000' })
  expect(statementText('en').change(0n)).toEqual({ main: '', rest: '' })
})
