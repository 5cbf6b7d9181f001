/** Rows of the table of alerts, and the only mapping back from them. */
import type { Alert, AlertEndReason, AlertEvent, AlertSet } from '@fairlot/core'
import type { AlertTable } from '../../platform/database/alert-schema.ts'
import { updated, inserted, type TableChange, type Written } from '../../platform/database/bulk.ts'
import { alertConditionCodec, alertFiringCodec, type AlertFiring } from '../journal/event-codec.ts'

type AlertColumns<Column extends keyof AlertTable> = Written<Pick<AlertTable, 'id' | Column>>

/** The rows that a segment of the journal writes: new alerts, then what became of alerts. */
export type AlertRows = {
  readonly set: Written<AlertTable>[]
  /** The last firing of each alert. */
  readonly firings: Map<number, AlertColumns<'state' | 'wakes_at' | 'fired_at' | 'firing'>>
  /** Whether each alert waits for the price to come back. */
  readonly returns: Map<number, AlertColumns<'awaits_return'>>
  readonly ends: Map<number, AlertColumns<'state' | 'ended_at'>>
  readonly removals: Map<number, AlertColumns<'state'>>
}

export const emptyAlertRows = (): AlertRows => ({
  set: [],
  firings: new Map(),
  returns: new Map(),
  ends: new Map(),
  removals: new Map(),
})

export const alertChanges = ({ set, firings, returns, ends, removals }: AlertRows): TableChange[] => [
  inserted('alert', set),
  updated('alert', ['id'], firings.values()),
  updated('alert', ['id'], returns.values()),
  updated('alert', ['id'], ends.values()),
  updated('alert', ['id'], removals.values()),
]

/** `at` is the time of the entry, epoch ms. */
export function projectAlert(rows: AlertRows, event: AlertEvent, at: number): void {
  const { alertId: id } = event
  switch (event.type) {
    case 'alertSet':
      rows.set.push(newRow(event, at))
      return
    case 'alertRemoved':
      rows.removals.set(id, { id, state: 'removed' })
      return
    case 'alertEnded':
      rows.ends.set(id, { id, state: event.reason, ended_at: at })
      return
    case 'alertRearmed':
      rows.returns.set(id, { id, awaits_return: 0 })
      return
    case 'alertFired': {
      const { tick, reference, margin, wakesAt, awaitsReturn } = event
      if (awaitsReturn) rows.returns.set(id, { id, awaits_return: 1 })
      rows.firings.set(id, {
        id,
        state: wakesAt === null ? 'fired' : 'waiting',
        wakes_at: wakesAt ?? 0,
        fired_at: at,
        firing: alertFiringCodec.write({ tick, ...(reference && { reference }), ...(margin && { margin }) }),
      })
    }
  }
}

const newRow = (
  { alertId, accountId, condition, pauseMs, expiresAt }: AlertSet,
  at: number,
): Written<AlertTable> => ({
  id: alertId,
  account_id: accountId,
  condition: alertConditionCodec.write(condition),
  pause_ms: pauseMs,
  set_at: at,
  state: 'waiting',
  wakes_at: 0,
  awaits_return: 0,
  expires_at: expiresAt ?? null,
  ended_at: null,
  fired_at: null,
  firing: null,
})

/** An alert in its row, also one that has ended. */
export type AlertRecord = Readonly<Alert> & {
  readonly state: 'waiting' | 'fired' | AlertEndReason | 'removed'
  /** Epoch ms. */
  readonly setAt: number
  /** When it ended by itself, epoch ms; else null. */
  readonly endedAt: number | null
  /** Its last firing; null before the first. */
  readonly fired: (AlertFiring & { readonly at: number }) | null
}

export function alertFrom(row: AlertTable): AlertRecord {
  return {
    id: Number(row.id),
    accountId: Number(row.account_id),
    condition: alertConditionCodec.read(JSON.parse(row.condition)),
    pauseMs: row.pause_ms === null ? null : Number(row.pause_ms),
    wakesAt: Number(row.wakes_at),
    awaitsReturn: row.awaits_return === 1n,
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
    state: row.state as AlertRecord['state'],
    setAt: Number(row.set_at),
    fired:
      row.fired_at === null || row.firing === null
        ? null
        : { at: Number(row.fired_at), ...alertFiringCodec.read(JSON.parse(row.firing)) },
  }
}
