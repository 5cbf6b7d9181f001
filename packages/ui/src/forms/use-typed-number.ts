import { createContext, use, useState } from 'react'
import type { FieldAnswer } from './field.tsx'
import { type DecimalPoint, readingsOf, readTyped, writtenNumber } from './typed-number.ts'

/** How the user's language writes numbers, and how it asks which of two was meant. */
export type NumberWriting = {
  readonly point: DecimalPoint
  readonly ask: (thousands: string, decimals: string) => string
}

/** English, which the desk uses; the web app provides the user's language. */
export const NumberWritingContext = createContext<NumberWriting>({
  point: '.',
  ask: (thousands, decimals) => `Do you mean ${thousands} or ${decimals}?`,
})

const NOTHING = { text: '', value: '' }

/**
 * The text of a number field. `value` and what `onChange` gets are plain decimals ("1234.5") or text that is no number;
 * the field shows what the user types, and once left, the value as the user's language writes it. `near`: the market's
 * price, for a field of a price.
 */
export function useTypedNumber(value: string, onChange: (value: string) => void, near: number | null = null) {
  const { point, ask } = use(NumberWritingContext)
  const [typed, setTyped] = useState(NOTHING)
  const readings = readingsOf(value)
  const written = (plain: string) => writtenNumber(plain, point)
  const answer = (plain: string): FieldAnswer => ({
    text: written(plain),
    choose: () => {
      setTyped(NOTHING)
      onChange(plain)
    },
  })
  return {
    text: typed.value === value ? typed.text : written(value),
    /** Asks which number was meant; null where that is clear. It goes before any other problem of the field. */
    question: readings && ask(readings.thousands, written(readings.decimals)),
    /** The two answers to it. */
    answers: readings && [readings.thousands, readings.decimals].map(answer),
    written,
    /** To be called when the field is left. */
    settle: () => setTyped(NOTHING),
    type: (text: string) => {
      const read = readTyped(text, point, near)
      setTyped({ text, value: read })
      onChange(read)
    },
  }
}
