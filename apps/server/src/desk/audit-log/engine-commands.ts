import {
  decimalText,
  fromUnits,
  MONEY_DECIMALS,
  rateText,
  type Operator,
  type Outcome,
  type Request,
} from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { Tables } from '../../platform/database/schema.ts'
import type { EngineCommand } from '../../engine/engine.ts'
import { newRequest, type FollowUps } from '../../engine/follow-ups.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { refusalOfReason, type AuditEntry, type AuditLog, type ApprovalEnd } from './audit-log.ts'

/** An operator's command to the engine, without its author. */
type WithoutAuthor<C> = C extends { readonly by: unknown } ? Omit<C, 'by'> : never
export type OperatorCommand = WithoutAuthor<EngineCommand>

type EntryWithReason = AuditEntry & { readonly reason: string }
type Effect = (within: Transaction<Tables>, body: unknown) => Promise<void>

/** Sends operators' commands to the engine. Each gets an audit entry with its outcome, also after a crash. */
export type EngineCommands = {
  /** Returns what the engine has journaled, or its refusal. `request` identifies the command, so that a repeat changes nothing. */
  execute(
    auditEntry: EntryWithReason,
    command: OperatorCommand,
    request?: Request,
  ): Promise<Outcome | Refusal>
  /** Registers the writes that accompany entries that name this effect. */
  registerEffect(name: string, effect: Effect): void
}

/** An audit entry as stored by its follow-up, with the approval by id. */
type StoredEntry = Omit<AuditEntry, 'approval'> & { readonly approvalId: number | null }

const AUDIT = 'audit'

/** `approvalOf` returns how an approval in progress ends. */
export function createEngineCommands(
  followUps: FollowUps,
  log: Pick<AuditLog, 'record' | 'isRecorded' | 'recordRefusal'>,
  approvalOf: (id: number) => Promise<ApprovalEnd | null>,
): EngineCommands {
  const effects = new Map<string, Effect>()

  followUps.register(AUDIT, async (body, { entry, mayBeDone }, done) => {
    const { approvalId, ...kept } = body as StoredEntry
    const auditEntry = {
      ...kept,
      after: withCredit(kept.after, entry.events),
      approval: approvalId === null ? null : await approvalOf(approvalId),
    }
    // A command that changed nothing is not in the journal.
    const journalAt = entry.events.length > 0 ? entry.at : null
    await log.record(auditEntry, journalAt, async (within) => {
      if (!(await done(within))) return false
      if (mayBeDone && journalAt !== null && (await log.isRecorded(within, auditEntry, journalAt)))
        return false
      const effect = auditEntry.effect && effects.get(auditEntry.effect.name)
      if (auditEntry.effect && effect) await effect(within, auditEntry.effect.body)
      return true
    })
  })

  return {
    registerEffect: (name, effect) => void effects.set(name, effect),
    execute: async (auditEntry, command, request = auditEntry.approval?.request) => {
      const blank = refusalOfReason(auditEntry.reason)
      if (blank) return blank
      try {
        await followUps.settle()
      } catch {
        return refuse('engineUnavailable')
      }
      const named = request ?? newRequest(auditEntry.operator.id, 'desk.act')
      const { approval, ...kept } = auditEntry
      const body: StoredEntry = { ...kept, approvalId: approval?.id ?? null }
      const outcome = await followUps.execute({
        kind: AUDIT,
        body,
        request: named,
        command: { ...command, request: named, by: authorOf(auditEntry) } as EngineCommand,
        mustFollow: approval !== undefined && approval !== null,
      })
      if (isRefusal(outcome) && !isUndecided(outcome)) await log.recordRefusal(auditEntry, outcome)
      return outcome
    },
  }
}

/** Adds the rate and the credit of a deposit, which only the engine knows. */
function withCredit(after: unknown, [event]: Outcome['entry']['events']): unknown {
  if (event?.type !== 'depositEnded' || !event.arrived || typeof after !== 'object') return after
  const { amount, arrived } = event
  return {
    ...after,
    rate: rateText(arrived.rate),
    arrivedAt: new Date(arrived.at).toISOString(),
    credited: decimalText(fromUnits(amount, MONEY_DECIMALS), 2),
  }
}

/** Whether the engine has not decided, as far as is known. */
const isUndecided = ({ rejected }: Refusal): boolean =>
  rejected === 'engineUnavailable' || rejected === 'notDone'

const authorOf = ({ operator, reason, second }: EntryWithReason): Operator => ({
  type: 'operator',
  id: operator.id,
  role: operator.role,
  reason: reason.trim(),
  second: second ? { id: second.id, role: second.role } : null,
})
