import type {
  CaseFact,
  CaseStep,
  CaseWords,
  DeskAct,
  DeskChange,
  RelatedCase,
  WaitingDetail,
} from '@fairlot/contract/desk'
import type { Money } from '@fairlot/core'
import type { Refusal } from '../../http/refusal.ts'
import type { DeskOperator } from '../operator.ts'

/** A reason to look at a case before others. */
export type RiskSign = { readonly weight: 1 | 2 | 3; readonly why: string }

/** Something that waits for a person. */
export type WaitingItem = {
  /** Its number among those of its source. */
  readonly id: number
  /** Which filter it belongs to, and how that is called. */
  readonly kind: string
  readonly kindName: string
  readonly title: string
  /** What is to be decided, in a line. */
  readonly what: string
  readonly accountId: number | null
  readonly amount: Money | null
  /** Epoch ms of real time. */
  readonly since: number
  /** The operator who asked for it; null where a user did. */
  readonly asked: Pick<DeskOperator, 'id' | 'name'> | null
  /** Whether somebody other than the one who asked has to decide. */
  readonly needsSecond: boolean
  readonly decideAct: DeskAct
  readonly signs: readonly RiskSign[]
}

/** What decides a case. */
export type CaseContents = {
  readonly reason: string
  readonly facts: readonly CaseFact[]
  readonly changes: readonly DeskChange[]
  /** Cases that it may double; none where it is left out. */
  readonly related?: readonly RelatedCase[]
  /** The approval that decides it, where it has one. */
  readonly approvalId?: number
  readonly steps: readonly CaseStep[]
  readonly words: readonly CaseWords[]
  /** Why no trader reads anything of it; where it is left out there are words. */
  readonly noWords?: string
  readonly decision: WaitingDetail['decision']
}

/** Where things come from that wait for a person. Registering one is all that a new kind needs to be on the list. */
export type WaitingSource = {
  /** Its cases are called by it and their number, such as `adjustment:12`: letters only. */
  readonly name: string
  /** The oldest of them. */
  list(most: number): Promise<readonly WaitingItem[] | Refusal>
  count(): Promise<number | Refusal>
  /** Null for one that does not wait (any more). */
  find(id: number): Promise<WaitingItem | null | Refusal>
  contents(item: WaitingItem): Promise<CaseContents | Refusal>
}
