import {
  DESK_PERMISSIONS,
  mayDo,
  SETTINGS_OF_TWO,
  TWO_OPERATORS,
  type DeskPermission,
  type TwoOperatorRule,
} from '@fairlot/contract/desk'
import type { Entry, Event, OperatorRole, State } from '@fairlot/core'
import { isByDeployment } from '../desk/audit-log/audit-log.ts'
import type { DeskActTable } from '../platform/database/desk-schema.ts'

/** A call that was admitted is recorded this much later at most, ms of real time. */
const RECORDED_WITHIN_MS = 600_000

/** The role of an operator, and whether they were switched on. */
type Standing = { readonly role: OperatorRole; readonly isActive: boolean }
/** `at`: when the journal set it, epoch ms. */
type Change = Standing & {
  readonly operatorId: number
  readonly at: number
  /** By the deployment, without an audit entry. */
  readonly isUnrecorded: boolean
}
/** The standing in force, and the one before it until some time after. `until`: real time, epoch ms. */
type Standings = {
  readonly current: Standing
  readonly former: { readonly standing: Standing; readonly until: number } | null
}

/**
 * What operators did at the desk, outside the journal: they existed, were switched on, and had a role that may
 * do it, and so had the second operator. What is in the journal is judged there.
 */
export function createOperatorRights() {
  const changes: Change[] = []
  const standings = new Map<number, Standings>()
  const faults: string[] = []
  let adoptedAt = Infinity
  let begun = 0
  /** The latest moment of the journal that an entry names: later changes are not in force yet. */
  let reached = -Infinity

  const apply = ({ operatorId, role, isActive }: Change, now: number) => {
    const before = standings.get(operatorId)?.current
    standings.set(operatorId, {
      current: { role, isActive },
      former: before ? { standing: before, until: now + RECORDED_WITHIN_MS } : null,
    })
  }
  /** Applies the next change of an operator that no audit entry names. */
  const applyUnrecorded = ({ operator_id: id, at }: Pick<DeskActTable, 'operator_id' | 'at'>) => {
    const place = changes.findIndex(
      ({ operatorId, isUnrecorded }, index) => index >= begun && isUnrecorded && BigInt(operatorId) === id,
    )
    const [change] = place < 0 ? [] : changes.splice(place, 1)
    if (change) apply(change, Number(at))
  }
  const faultOf = (row: DeskActTable): string | null => {
    const { operator_id: id, second_id: secondId, role, act } = row
    const now = Number(row.at)
    if (!standings.has(Number(id))) applyUnrecorded(row)
    const standing = standings.get(Number(id))
    if (!standing) return `operator ${id} did not exist`
    const asStated = standingsAt(standing, now).find((each) => each.role === role && each.isActive)
    if (!asStated) return `operator ${id} was ${named(standing.current)}, not ${role}`
    if (!isAllowed(row, asStated.role)) return `the role ${role} may not do "${act}"`
    if (secondId === null) return null
    if (!standings.has(Number(secondId))) applyUnrecorded({ operator_id: secondId, at: row.at })
    const second = standings.get(Number(secondId))
    if (!second) return `second operator ${secondId} did not exist`
    const permissions = permissionsOfSecond(act)
    const mayApprove = standingsAt(second, now).some(
      (each) => each.isActive && permissions.some((permission) => mayDo(each.role, permission)),
    )
    return permissions.length === 0 || mayApprove
      ? null
      : `second operator ${secondId} was ${named(second.current)}, who may not approve "${act}"`
  }

  return {
    /** Events of the journal, on the state after their entry. */
    take: (event: Event, { at, author }: Entry, { operators }: Pick<State, 'operators'>) => {
      if (event.type === 'operatorsAdopted') adoptedAt = Math.min(adoptedAt, at)
      if (event.type !== 'operatorSet' && event.type !== 'recoveryUsed') return
      const { operatorId } = event
      const standing = event.type === 'operatorSet' ? event : operators.get(operatorId)
      const isUnrecorded = author.type !== 'operator' || event.type === 'recoveryUsed'
      if (standing)
        changes.push({ operatorId, at, role: standing.role, isActive: standing.isActive, isUnrecorded })
    },
    observe: (row: DeskActTable) => {
      reached = Math.max(reached, Number(row.journal_at ?? -Infinity))
      for (; (changes[begun]?.at ?? Infinity) <= reached; begun += 1) {
        const change = changes[begun]
        if (change) apply(change, Number(row.at))
      }
      if (row.outcome !== 'done') return
      // Joining by a recovery is recorded without the moment of the journal.
      if (row.act === 'ownAccess' && row.after?.includes('"joined":true')) applyUnrecorded(row)
      if (isByDeployment(row)) {
        const isSetting = SETTINGS_OF_TWO.some((name) => row.subject === `setting:${name}`)
        if (row.act !== 'changeSettings' || !isSetting)
          faults.push(`audit entry ${row.id}: the deployment does not do "${row.act}"`)
        return
      }
      // Operators of an older version are known from the moment at which the journal adopted them.
      if (row.journal_at !== null || reached < adoptedAt) return
      const fault = faultOf(row)
      if (fault !== null) faults.push(`audit entry ${row.id}: ${fault}`)
    },
    finish: () => faults.values(),
  }
}

const named = ({ role, isActive }: Standing): string => (isActive ? role : `${role}, switched off`)

const standingsAt = ({ current, former }: Standings, now: number): readonly Standing[] =>
  former && now <= former.until ? [current, former.standing] : [current]

const isPermission = (act: string): act is DeskPermission => Object.hasOwn(DESK_PERMISSIONS, act)

function isAllowed({ act, second_id: secondId, after }: DeskActTable, role: OperatorRole): boolean {
  if (!isPermission(act)) return true
  // Each may withdraw what they requested, in any role.
  const isWithdrawn = after?.includes('"approval":"withdrawn"') ?? false
  const isApproved = secondId !== null && rulesOf(act).some(({ first }) => mayDo(role, first))
  return isWithdrawn || isApproved || mayDo(role, act)
}

/** The rules by which two operators do it; a halt may also be requested by those who may not halt. */
const rulesOf = (act: string): readonly TwoOperatorRule[] =>
  Object.values(TWO_OPERATORS).filter(
    ({ first, second }) => first === act || (act === 'halt' && second === act),
  )

const permissionsOfSecond = (act: string): readonly DeskPermission[] =>
  rulesOf(act).map(({ second }) => second)
