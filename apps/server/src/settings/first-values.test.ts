import { SETTINGS_OF_TWO } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import { expect, it } from 'vitest'
import { recordByDeployment } from '../desk/audit-log/audit-log.ts'
import { defaultOf, type SettingName } from '../platform/config/app-settings.ts'
import type { Queries } from '../platform/database/open.ts'
import { simulateDesk } from '../testing/desk-simulation.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { differenceWith } from '../verify/test-kit.ts'
import { verify } from '../verify/verify.ts'
import type { Tables } from '../platform/database/schema.ts'
import { recordSettingsOfTwo } from './first-values.ts'

const AT = Date.UTC(2026, 0, 6)
/** Two operators have changed it in the simulation. */
const CHANGED = 'payout_wait_hours'
const UNCHANGED = SETTINGS_OF_TWO.filter((name) => name !== CHANGED)

const entriesIn = async (queries: Queries) =>
  queries
    .selectFrom('desk_act')
    .select(['operator_id', 'operator_name', 'second_id', 'act', 'subject', 'after'])
    .where('operator_id', '=', 0n)
    .orderBy('subject')
    .execute()

/** Hides a change of a setting behind a second entry of the deployment. */
async function recordAgain(within: Queries): Promise<void> {
  const [name = ''] = SETTINGS_OF_TWO
  const entry = {
    act: 'changeSettings',
    subject: `setting:${name}`,
    reason: 'x',
    after: { value: 'x@y' },
  } as const
  await recordByDeployment(within as Transaction<Tables>, entry, AT + 2)
  await within.updateTable('setting').set({ value: 'x@y' }).where('name', '=', name).execute()
}

onEveryDatabase('settings of two operators in an older database', (databases) => {
  it('verify as they are, until the first start writes an audit entry of each unchanged one', async () => {
    const database = await databases.open()
    const { queries } = database
    await simulateDesk(database)
    const first = UNCHANGED.map((name) => ({ name, value: defaultOf(name as SettingName) }))
    await queries.insertInto('setting').values(first).execute()
    const forge = (name: string) => (within: Queries) =>
      within.updateTable('setting').set({ value: 'x@y' }).where('name', '=', name).execute()
    expect((await verify(database)).difference).toBeNull()
    expect(await differenceWith(database, forge('journal_hash_recipients'))).toBeNull()

    await recordSettingsOfTwo(queries, AT)
    await recordSettingsOfTwo(queries, AT + 1)
    expect(await entriesIn(queries)).toEqual(
      UNCHANGED.map((name) => ({
        operator_id: 0n,
        operator_name: 'deployment',
        second_id: null,
        act: 'changeSettings',
        subject: `setting:${name}`,
        after: JSON.stringify({ value: defaultOf(name as SettingName) }),
      })),
    )
    expect((await verify(database)).difference).toBeNull()
    for (const name of SETTINGS_OF_TWO)
      expect(await differenceWith(database, forge(name))).toMatch(
        new RegExp(`^setting ${name}: value is "x@y", it should be ".*", as the audit log says$`),
      )
    expect(await differenceWith(database, recordAgain)).toMatch(/settings: .*it names one operator/)
  })
})
