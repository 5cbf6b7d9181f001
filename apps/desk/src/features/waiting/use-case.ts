import { getWaitingCase, type WaitingDetail } from '@fairlot/contract/desk'
import { useSelf } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { useViewers } from '../../live/viewing.ts'

/** The case that is open. */
export type OpenCase = {
  /** Undefined until it is known. */
  readonly shown: WaitingDetail | undefined
  /** Why it cannot be shown, or no longer waits, in words. */
  readonly problem: string | null
  /** Somebody else has decided it meanwhile. */
  readonly isOver: boolean
  readonly retry: () => void
  /** Who else looks at it now. */
  readonly others: readonly string[]
}

export function useCase(caseKey: string | null): OpenCase {
  const self = useSelf()
  const viewers = useViewers(caseKey)
  const asked = useDeskQuery(getWaitingCase, { caseKey: caseKey ?? '' }, { isOn: caseKey !== null })
  const { data: shown, problem, retry } = asked
  return {
    ...{ shown, problem, retry, isOver: shown !== undefined && problem !== null },
    others: viewers.filter((name) => name !== self.name),
  }
}
