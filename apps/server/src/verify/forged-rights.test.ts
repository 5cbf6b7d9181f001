import { expect, it } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { simulateDesk } from '../testing/desk-simulation.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { audit, differenceWith, type AuditEdit } from './test-kit.ts'

/** Each forgery is verified separately. */
const TIMEOUT_MS = 300_000
const HOUR_MS = 3_600_000n

/** Audit entries of somebody who rewrites the log with matching hashes, and the difference that `verify` must report. */
type Forgery = readonly [forge: (queries: Queries) => Promise<unknown>, difference: RegExp]

onEveryDatabase('verify of what operators may do', (databases) => {
  it('names each entry of somebody who might not', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await simulateDesk(database)
    expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
    const missed: string[] = []
    for (const [name, [forge, pattern]] of Object.entries(FORGERIES)) {
      const difference = await differenceWith(database, forge).catch(String)
      if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
  })
})

/** The first audit entry of a kind. */
const ofKind = (act: string, edit: AuditEdit) => audit((row) => (row.act === act ? edit(row) : null))

/** A further entry of the operator who is switched off, some time after it. */
const afterSwitchingOff = (later: bigint) =>
  audit((row) =>
    row.act === 'changeOperators'
      ? [
          row,
          {
            ...row,
            at: row.at + later,
            operator_id: 4n,
            operator_name: 'Dee',
            role: 'dealing',
            act: 'takeCase',
            subject: 'deposit:1',
            before: null,
            after: null,
            journal_at: null,
          },
        ]
      : null,
  )

const FORGERIES: Readonly<Record<string, Forgery>> = {
  'an entry of an operator whose role may not do it': [
    ofKind('setCreditScore', () => ({ operator_id: 1n, operator_name: 'Ada', role: 'finance' })),
    /^audit entry \d+: the role finance may not do "setCreditScore"$/,
  ],
  'an entry in a role that the operator did not have': [
    ofKind('setCreditScore', () => ({ role: 'administrator' })),
    /^audit entry \d+: operator 3 was compliance, not administrator$/,
  ],
  'an entry of nobody': [
    ofKind('setCreditScore', () => ({ operator_id: 77n, operator_name: 'Zed' })),
    /^audit entry \d+: operator 77 did not exist$/,
  ],
  'an entry of an operator who had been switched off': [
    afterSwitchingOff(HOUR_MS),
    /^audit entry \d+: operator 4 was dealing, switched off, not dealing$/,
  ],
  'an approval of an operator whose role may not approve it': [
    ofKind('verifyPerson', () => ({ second_id: 1n, second_name: 'Ada' })),
    /^audit entry \d+: second operator 1 was finance, who may not approve "verifyPerson"$/,
  ],
  'an approval of nobody': [
    ofKind('verifyPerson', () => ({ second_id: 77n, second_name: 'Zed' })),
    /^audit entry \d+: second operator 77 did not exist$/,
  ],
  'an entry of the deployment, which nobody has to approve': [
    ofKind('setCreditScore', () => ({ operator_id: 0n, operator_name: 'deployment', role: 'deployment' })),
    /^audit entry \d+: the deployment does not do "setCreditScore"$/,
  ],
  'a call that was on its way while its operator was switched off, which is none': [
    afterSwitchingOff(1_000n),
    /^$/,
  ],
}
