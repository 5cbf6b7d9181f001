import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecondFactor, totpCode } from '../../platform/security/second-factor.ts'
import { createVault } from '../../platform/database/vault.ts'
import { onEveryDatabase, type Databases } from '../../testing/on-every-database.ts'
import { createOperatorFactor } from './operator-factor.ts'
import { addOperator, findOperator } from './operators.ts'

const STEP_MS = 30_000
const START = Date.UTC(2026, 10, 23)

async function open(databases: Databases) {
  const { queries } = await databases.open()
  const clock = { at: START }
  return { queries, clock, vault: createVault(randomBytes(32)), now: () => clock.at }
}

/** How many of several concurrent attempts succeed. */
const successes = async (tries: readonly (() => Promise<boolean>)[]): Promise<number> =>
  (await Promise.all(tries.map((take) => take()))).filter(Boolean).length

onEveryDatabase('a code of a second factor', (databases) => {
  test('of a user is accepted once, also by concurrent calls', async () => {
    const { queries, clock, vault, now } = await open(databases)
    const user = { is_demo: 0n, demo_hash: null, credit_score: 100n, created_at: 0n, closed_at: null }
    await queries
      .insertInto('app_user')
      .values({ id: 7n, invite_code: 'X', ...user })
      .execute()
    const factor = createSecondFactor(queries, vault, now)
    const secret = (await factor.prepare(7)) ?? ''
    const codes = await queries
      .transaction()
      .execute((within) => factor.confirm(7, totpCode(secret, clock.at), within))
    for (let step = 1; step <= 3; step += 1) {
      clock.at += STEP_MS
      const code = totpCode(secret, clock.at)
      const take = () => factor.use(7, code)
      expect(await successes([take, take, take])).toBe(1)
    }
    const take = () => factor.use(7, codes?.[0] ?? '')
    expect(await successes([take, take, take])).toBe(1)
  })

  test('of an operator is accepted once, also by concurrent log-ins', async () => {
    const { queries, clock, vault, now } = await open(databases)
    const id = await queries
      .transaction()
      .execute((within) => addOperator(within, { name: 'Ada', role: 'finance', password_hash: 'x' }, START))
    const factor = createOperatorFactor(queries, vault, now)
    const operator = async () => {
      const row = await findOperator(queries, id)
      if (!row) throw new Error('no operator')
      return row
    }
    const prepared = await factor.prepare(await operator())
    if ('rejected' in prepared) throw new Error(prepared.rejected)
    const { secret } = prepared
    const confirmed = await factor.confirm(await operator(), totpCode(secret, clock.at), queries)
    if ('rejected' in confirmed) throw new Error(confirmed.rejected)
    const row = await operator()
    for (let step = 1; step <= 3; step += 1) {
      clock.at += STEP_MS
      const code = totpCode(secret, clock.at)
      const take = async () => (await factor.refusalOf(row, code)) === null
      expect(await successes([take, take, take])).toBe(1)
    }
    const take = async () => (await factor.refusalOf(row, confirmed[0] ?? '')) === null
    expect(await successes([take, take, take])).toBe(1)
  })
})
