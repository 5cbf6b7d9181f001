import type { DeskActTable } from '../platform/database/desk-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { firstDifference } from './figure.ts'

type LogIn = {
  /** Null while no entry says it. */
  readonly hasFactor: boolean | null
  /** The names of the passkeys. */
  readonly passkeys: readonly string[]
}

const UNKNOWN: LogIn = { hasFactor: null, passkeys: [] }
const NOTHING: LogIn = { hasFactor: false, passkeys: [] }

/** Second factors and passkeys of operators: else anybody who can write to the tables could log in as one of them. */
export function createOperatorLogIns(queries: Queries) {
  const logIns = new Map<string, LogIn>()
  return {
    observe: ({ act, outcome, subject, after }: DeskActTable) => {
      if (outcome !== 'done' || after === null || !subject.startsWith('operator:')) return
      const values = JSON.parse(after) as Readonly<Record<string, unknown>>
      if (Object.hasOwn(values, 'asked') || Object.hasOwn(values, 'approval')) return
      const known = logIns.get(subject) ?? UNKNOWN
      if (act === 'ownAccess') logIns.set(subject, afterOwnAccess(known, values))
      if (act === 'changeOperators' && values['password'] === 'none') logIns.set(subject, NOTHING)
    },
    finish: async function* (): AsyncGenerator<string> {
      const operators = await queries
        .selectFrom('operator')
        .select(['id', 'totp_confirmed_at'])
        .orderBy('id')
        .execute()
      const passkeys = await queries
        .selectFrom('passkey')
        .select(['operator_id', 'name'])
        .where('operator_id', 'is not', null)
        .execute()
      const passkeysOf = Map.groupBy(passkeys, (row) => row.operator_id)
      for (const { id, totp_confirmed_at: confirmedAt } of operators) {
        const expected = logIns.get(`operator:${id}`) ?? UNKNOWN
        const names = (passkeysOf.get(id) ?? []).map(({ name }) => name)
        const difference =
          (expected.hasFactor === null
            ? null
            : firstDifference(confirmedAt !== null, expected.hasFactor, 'whether the second factor is on')) ??
          firstDifference(names.toSorted(), expected.passkeys.toSorted(), 'passkeys')
        if (difference !== null) yield `operator ${id}: ${difference}, as the audit log says`
      }
    },
  }
}

function afterOwnAccess({ hasFactor, passkeys }: LogIn, values: Readonly<Record<string, unknown>>): LogIn {
  // With new keys everything is set up again.
  if (values['joined'] === true) return NOTHING
  const { secondFactor, passkeyAdded, passkeyRemoved } = values
  const place = typeof passkeyRemoved === 'string' ? passkeys.indexOf(passkeyRemoved) : -1
  const kept = place < 0 ? passkeys : passkeys.toSpliced(place, 1)
  return {
    hasFactor: secondFactor === 'on' ? true : hasFactor,
    passkeys: typeof passkeyAdded === 'string' ? [...kept, passkeyAdded] : kept,
  }
}
