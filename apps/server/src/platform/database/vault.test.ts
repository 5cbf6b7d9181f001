import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { openVault, operatorSecret, sealOpenSecrets, traderSecret } from './data-key.ts'
import type { Queries } from './open.ts'
import { createVault } from './vault.ts'

const place = { owner: 'user 7', column: 'second_factor.secret' }

describe('a sealed text', () => {
  const vault = createVault(randomBytes(32))

  test('opens at its place, and is never sealed to the same text twice', () => {
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
    ['in the row of another user', (text: string) => [text, { ...place, owner: 'user 8' }] as const],
    ['in another column', (text: string) => [text, { ...place, column: 'operator.totp_secret' }] as const],
    ['that was changed', (text: string) => [flipped(text), place] as const],
    ['that was truncated', (text: string) => [text.slice(0, -30), place] as const],
    ['that was never sealed', () => ['JBSWY3DPEHPK3PXP', place] as const],
    ['of another key', () => [createVault(randomBytes(32)).seal('JBSWY3DPEHPK3PXP', place), place] as const],
  ])('does not open %s', (_, changed) => {
    const [text, where] = changed(vault.seal('JBSWY3DPEHPK3PXP', place))
    expect(() => vault.open(text, where)).toThrow()
  })

  test('has a fingerprint that depends on text, column and key only', () => {
    const fingerprint = vault.fingerprint('A123', 'number')
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(vault.fingerprint('A123', 'number')).toBe(fingerprint)
    expect(vault.fingerprint('A123', 'other')).not.toBe(fingerprint)
    expect(createVault(randomBytes(32)).fingerprint('A123', 'number')).not.toBe(fingerprint)
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
  const openBy = (queries: Queries, dataKey: string | null = null) =>
    openVault(queries, { dataDir, dataKey, dataKeyOld: null }, 1_000)

  test('is generated once, readable by its owner only, and found again', async () => {
    const { queries } = await databases.open()
    const first = await openBy(queries)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await openBy(queries)).open(first.seal('x', place), place)).toBe('x')
    // The same key can also be given in the environment.
    const moved = readFileSync(file, 'utf8').trim()
    rmSync(file)
    expect((await openBy(queries, moved)).keyId).toBe(first.keyId)
    expect(existsSync(file)).toBe(false)
  })

  test('that is wrong, damaged or missing stops the start with a message', async () => {
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

  test('encrypts the plain secrets of an earlier version once', async () => {
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
