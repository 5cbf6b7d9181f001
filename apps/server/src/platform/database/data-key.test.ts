import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { openVault, operatorSecret, traderSecret } from './data-key.ts'
import { identityMark, identityNumber } from './identity-schema.ts'
import type { Queries } from './open.ts'

onEveryDatabase('a new data key', (databases) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-new-key-'))
  const file = join(dataDir, 'data.key')
  beforeEach(() => rmSync(file, { force: true }))
  afterAll(() => rmSync(dataDir, { recursive: true }))
  const openBy = (queries: Queries, dataKey: string | null = null, dataKeyOld: string | null = null) =>
    openVault(queries, { dataDir, dataKey, dataKeyOld }, 1_000)

  test('is accepted together with the old one: either everything is encrypted again or nothing', async () => {
    const { queries } = await databases.open()
    const [old, fresh, other] = [0, 1, 2].map(() => randomBytes(32).toString('base64'))
    const before = await openBy(queries, old)
    for (let id = 1n; id <= 501n; id += 1n)
      await queries
        .insertInto('second_factor')
        .values({
          user_id: id,
          confirmed_at: 1n,
          last_step: 0n,
          secret: before.seal(`SECRET${id}`, traderSecret(id)),
        })
        .execute()
    const operator = { ...OPERATOR, id: 3n, name: 'A', name_key: 'a' }
    const sealed = before.seal('KRSXG5CTMVRXEZLU', operatorSecret(3))
    await queries
      .insertInto('operator')
      .values({ ...operator, totp_secret: sealed })
      .execute()
    const document = {
      number: before.seal('A123456(7)', identityNumber(7)),
      number_mark: 'of the key before',
    }
    await queries
      .insertInto('identity_check')
      .values({ ...CHECK, ...document })
      .execute()

    // The old key must be right, and a secret that it does not decrypt leaves everything unchanged.
    await expect(openBy(queries, fresh, other)).rejects.toThrow(/is not the one/)
    const broken = { secret: sealed }
    await queries.updateTable('second_factor').set(broken).where('user_id', '=', 501n).execute()
    await expect(openBy(queries, fresh, old)).rejects.toThrow()
    expect((await openBy(queries, old)).keyId).toBe(before.keyId)
    const repaired = { secret: before.seal('SECRET501', traderSecret(501)) }
    await queries.updateTable('second_factor').set(repaired).where('user_id', '=', 501n).execute()

    const vault = await openBy(queries, fresh, old)
    const secrets = await queries.selectFrom('second_factor').selectAll().orderBy('user_id').execute()
    expect(secrets.map(({ user_id: id, secret }) => vault.open(secret, traderSecret(id)))).toEqual(
      Array.from({ length: 501 }, (_, index) => `SECRET${index + 1}`),
    )
    const { totp_secret: totp } = await queries.selectFrom('operator').selectAll().executeTakeFirstOrThrow()
    expect(vault.open(totp ?? '', operatorSecret(3))).toBe('KRSXG5CTMVRXEZLU')
    const check = await queries.selectFrom('identity_check').selectAll().executeTakeFirstOrThrow()
    expect(vault.open(check.number, identityNumber(7))).toBe('A123456(7)')
    expect(check.number_mark).toBe(identityMark(vault, 'A123456(7)'))
    // From then on only the new key works; DATA_KEY_OLD may still be set.
    await expect(openBy(queries, old)).rejects.toThrow(/is not the one/)
    expect((await openBy(queries, fresh, old)).keyId).toBe(vault.keyId)
  })

  test('is generated when the key file is removed and the old key given', async () => {
    const { queries } = await databases.open()
    const before = await openBy(queries)
    const old = readFileSync(file, 'utf8').trim()
    rmSync(file)
    const vault = await openBy(queries, null, old)
    expect(vault.keyId).not.toBe(before.keyId)
    expect((await openBy(queries)).keyId).toBe(vault.keyId)
  })
})

const CHECK = {
  user_id: 7n,
  status: 'waiting',
  name: 'Ada',
  front: 'f',
  reverse: 'r',
  sent_at: 1n,
  times_sent: 1n,
  decided_at: null,
  faults: '',
}

const OPERATOR = {
  role: 'support',
  password_hash: null,
  invitation_hash: null,
  invited_until: null,
  totp_confirmed_at: null,
  totp_last_step: 0n,
  is_on: 1n,
  created_at: 1n,
  last_seen_at: null,
}
