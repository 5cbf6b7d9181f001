import { useState } from 'react'

/** What is wrong with each field, a sentence each. */
export type Problems<Values> = { readonly [Name in keyof Values]?: string }

export type Form<Values> = {
  readonly values: Values
  readonly problems: Problems<Values>
  /** A problem with the form as a whole. */
  readonly note: string | null
  /** Changes fields and clears their problems. */
  readonly set: (change: Partial<Values>) => void
  /** Shows problems and focuses the first field that has one. Keeps what was entered. */
  readonly reject: (problems: Problems<Values>, note?: string | null) => void
  /** Counts failed submissions, so that the same problem twice focuses its field twice. */
  readonly rejections: number
}

type State<Values> = Pick<Form<Values>, 'values' | 'problems' | 'note' | 'rejections'>

/** The values of a form and their problems. */
export function useForm<Values extends object>(start: () => Values): Form<Values> {
  const [state, setState] = useState<State<Values>>(() => ({
    values: start(),
    problems: {},
    note: null,
    rejections: 0,
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
    reject: (problems, note = null) =>
      setState((before) => ({ ...before, problems, note, rejections: before.rejections + 1 })),
  }
}

const without = <Values>(problems: Problems<Values>, names: readonly string[]): Problems<Values> =>
  Object.fromEntries(Object.entries(problems).filter(([name]) => !names.includes(name))) as Problems<Values>
