import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { openVault } from './data-key.ts'
import { identityMark, identityNumber } from './identity-schema.ts'
import type { Queries } from './open.ts'
import { operatorSecret, sealOpenSecrets, traderSecret } from './seal-secrets.ts'
import { createVault } from './vault.ts'

const place = { owner: 'user 7', column: 'second_factor.secret' }

describe('a sealed text', () => {
  const vault = createVault(randomBytes(32))

  test('opens where it was sealed, and never reads the same twice', () => {
    const [one, two] = [vault.seal('ABC 名字', place), vault.seal('ABC 名字', place)]
    expect(one).not.toBe(two)
    expect(one).toContain(`v1.${vault.keyId}.`)
    expect(Buffer.from(one.split('.')[3] ?? '', 'base64url').includes('ABC')).toBe(false)
    expect([
      vault.open(one, place),
      vault.open(two, place),
      vault.open(vault.seal('', place), place),
    ]).toEqual(['ABC 名字', 'ABC 名字', ''])
  })

  test.each([
    ['in the row of somebody else', (text: string) => [text, { ...place, owner: 'user 8' }] as const],
    ['in another column', (text: string) => [text, { ...place, column: 'operator.totp_secret' }] as const],
    ['changed in a bit', (text: string) => [flipped(text), place] as const],
    ['cut short', (text: string) => [text.slice(0, -30), place] as const],
    ['that was never sealed', () => ['JBSWY3DPEHPK3PXP', place] as const],
    ['of another key', () => [createVault(randomBytes(32)).seal('JBSWY3DPEHPK3PXP', place), place] as const],
  ])('does not open %s', (_, changed) => {
    const [text, where] = changed(vault.seal('JBSWY3DPEHPK3PXP', place))
    expect(() => vault.open(text, where)).toThrow()
  })

  test('has a mark that is the same for the same text, by this key alone', () => {
    const mark = vault.fingerprint('A123', 'number')
    expect(mark).toMatch(/^[0-9a-f]{64}$/)
    expect(vault.fingerprint('A123', 'number')).toBe(mark)
    expect(vault.fingerprint('A123', 'other')).not.toBe(mark)
    expect(createVault(randomBytes(32)).fingerprint('A123', 'number')).not.toBe(mark)
  })
})

const flipped = (text: string): string => {
  const [at, letter] = [text.length - 5, text.at(-5)]
  return text.slice(0, at) + (letter === 'A' ? 'B' : 'A') + text.slice(at + 1)
}

onEveryDatabase('the data key', (databases) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-key-'))
  const file = join(dataDir, 'data.key')
  beforeEach(() => rmSync(file, { force: true }))
  afterAll(() => rmSync(dataDir, { recursive: true }))
  const openBy = (queries: Queries, dataKey: string | null = null, dataKeyOld: string | null = null) =>
    openVault(queries, { dataDir, dataKey, dataKeyOld }, 1_000)

  test('is made once, for its owner alone, and found again', async () => {
    const { queries } = await databases.open()
    const first = await openBy(queries)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await openBy(queries)).open(first.seal('x', place), place)).toBe('x')
    // The same key may come from the environment as well.
    const moved = readFileSync(file, 'utf8').trim()
    rmSync(file)
    expect((await openBy(queries, moved)).keyId).toBe(first.keyId)
    expect(existsSync(file)).toBe(false)
  })

  test('that is another one, damaged or gone refuses the start with a sentence', async () => {
    const { queries } = await databases.open()
    await openBy(queries)
    const other = randomBytes(32).toString('base64')
    await expect(openBy(queries, other)).rejects.toThrow(/the data key in DATA_KEY is not the one/)
    writeFileSync(file, other)
    await expect(openBy(queries)).rejects.toThrow(/data\.key is not the one that this database/)
    writeFileSync(file, 'cut')
    await expect(openBy(queries)).rejects.toThrow(/data\.key is damaged/)
    rmSync(file)
    await expect(openBy(queries)).rejects.toThrow(/neither in DATA_KEY nor in/)
    expect(existsSync(file)).toBe(false)
  })

  test('is changed with the one before at hand: all is encrypted anew, or nothing', async () => {
    const { queries } = await databases.open()
    const [old, fresh, other] = [0, 1, 2].map(() => randomBytes(32).toString('base64'))
    const before = await openBy(queries, old)
    for (let id = 1n; id <= 501n; id += 1n)
      await queries
        .insertInto('second_factor')
        .values({
          ...{ user_id: id, confirmed_at: 1n, last_step: 0n },
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

    // The key before has to be the right one, and a text that it does not open leaves all as it was.
    await expect(openBy(queries, fresh, other)).rejects.toThrow(/is not the one/)
    const broken = { secret: sealed }
    await queries.updateTable('second_factor').set(broken).where('user_id', '=', 501n).execute()
    await expect(openBy(queries, fresh, old)).rejects.toThrow()
    expect((await openBy(queries, old)).keyId).toBe(before.keyId)
    const whole = { secret: before.seal('SECRET501', traderSecret(501)) }
    await queries.updateTable('second_factor').set(whole).where('user_id', '=', 501n).execute()

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
    // From then on the new one alone opens it, and the setting may stay for a while.
    await expect(openBy(queries, old)).rejects.toThrow(/is not the one/)
    expect((await openBy(queries, fresh, old)).keyId).toBe(vault.keyId)
  })

  test('of a file that was put away with the one before is made anew', async () => {
    const { queries } = await databases.open()
    const before = await openBy(queries)
    const old = readFileSync(file, 'utf8').trim()
    rmSync(file)
    const vault = await openBy(queries, null, old)
    expect(vault.keyId).not.toBe(before.keyId)
    expect((await openBy(queries)).keyId).toBe(vault.keyId)
  })

  test('encrypts the secrets that an earlier version has left open, once', async () => {
    const { queries } = await databases.open()
    const vault = await openBy(queries)
    const [trader, operator] = ['JBSWY3DPEHPK3PXP', 'KRSXG5CTMVRXEZLU']
    await queries
      .insertInto('second_factor')
      .values({ user_id: 7n, secret: trader, confirmed_at: 1n, last_step: 0n })
      .execute()
    await queries
      .insertInto('operator')
      .values([
        { ...OPERATOR, id: 3n, name: 'A', name_key: 'a', totp_secret: operator },
        { ...OPERATOR, id: 4n, name: 'B', name_key: 'b', totp_secret: null },
      ])
      .execute()
    const stored = async () => [
      (await queries.selectFrom('second_factor').select('secret').executeTakeFirstOrThrow()).secret,
      ...(await queries.selectFrom('operator').select('totp_secret').orderBy('id').execute()).map(
        (row) => row.totp_secret,
      ),
    ]
    await sealOpenSecrets(queries, vault)
    const [forTrader, forOperator, forNobody] = await stored()
    expect(vault.open(forTrader ?? '', traderSecret(7))).toBe(trader)
    expect(vault.open(forOperator ?? '', operatorSecret(3))).toBe(operator)
    expect(forNobody).toBeNull()
    await sealOpenSecrets(queries, vault)
    expect(await stored()).toEqual([forTrader, forOperator, null])
  })
})

const CHECK = {
  ...{ user_id: 7n, status: 'waiting', name: 'Ada', front: 'f', reverse: 'r', sent_at: 1n, times_sent: 1n },
  ...{ decided_at: null, faults: '' },
}

const OPERATOR = {
  ...{ role: 'support', password_hash: null, invitation_hash: null, invited_until: null },
  ...{ totp_confirmed_at: null, totp_last_step: 0n, is_on: 1n, created_at: 1n, last_seen_at: null },
}
