import { useEffect } from 'react'
import { create } from 'zustand'

type Viewing = {
  /** The case that this page shows. */
  readonly caseKey: string | null
  /** Everybody who shows it, this operator too. */
  readonly operators: readonly string[]
}

export const useViewing = create<Viewing>(() => ({ caseKey: null, operators: [] }))

export const shownCase = (): string | null => useViewing.getState().caseKey

/** Takes what the server says about who looks at a case. */
export const showViewers = (caseKey: string, operators: readonly string[]): void => {
  if (caseKey === shownCase()) useViewing.setState({ operators })
}

/**
 * Says that this page shows a case, such as `approval:3`, while it is drawn; null for none. Answers the names of all who look at it
 * now, oneself included.
 */
export function useViewers(caseKey: string | null): readonly string[] {
  useEffect(() => {
    useViewing.setState({ caseKey, operators: [] })
    return () => useViewing.setState({ caseKey: null, operators: [] })
  }, [caseKey])
  return useViewing(({ operators }) => operators)
}
