import { useState } from 'react'

/** What is wrong, by field: a sentence for each. */
export type Problems<Values> = { readonly [Name in keyof Values]?: string }

export type Form<Values> = {
  readonly values: Values
  readonly problems: Problems<Values>
  /** What is wrong with no field in particular. */
  readonly note: string | null
  /** Changes fields and takes back what was said about them. */
  readonly set: (change: Partial<Values>) => void
  /** Says what is wrong, and leads to the first field of the form that it is about. Everything typed stays. */
  readonly refuse: (problems: Problems<Values>, note?: string | null) => void
  /** Counts refusals, so that the same one twice leads to its field twice. */
  readonly refused: number
}

type State<Values> = Pick<Form<Values>, 'values' | 'problems' | 'note' | 'refused'>

/** What is typed into a form, and what is wrong with it. */
export function useForm<Values extends object>(start: () => Values): Form<Values> {
  const [state, setState] = useState<State<Values>>(() => ({
    ...{ values: start(), problems: {}, note: null, refused: 0 },
  }))
  return {
    ...state,
    set: (change) =>
      setState((before) => ({
        ...before,
        values: { ...before.values, ...change },
        problems: without(before.problems, Object.keys(change)),
        note: null,
      })),
    refuse: (problems, note = null) =>
      setState((before) => ({ ...before, problems, note, refused: before.refused + 1 })),
  }
}

const without = <Values>(problems: Problems<Values>, names: readonly string[]): Problems<Values> =>
  Object.fromEntries(Object.entries(problems).filter(([name]) => !names.includes(name))) as Problems<Values>
