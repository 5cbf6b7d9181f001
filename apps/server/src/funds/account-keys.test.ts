import { describe, expect, it } from 'vitest'
import { accountKeys } from '../platform/database/migrations/0056-account-keys.ts'
import { plainAddresses } from '../platform/database/migrations/0068-plain-addresses.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { accountKey } from './account-numbers.ts'

const NOTHING = { address: '', iban: '', payeeAccount: '', bic: '' }
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const STELLAR = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const TON = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const TON_OTHER = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

/** Methods as earlier versions stored them, with their keys. */
const METHODS = [
  { details: { address: EVM }, key: `coin ERC20 ${EVM}` },
  { details: { address: EVM.toLowerCase() }, key: `coin BEP20 ${EVM.toLowerCase()}` },
  { details: { address: STELLAR }, key: `coin XLM ${STELLAR}` },
  { details: { address: TRON }, key: `coin TRC20 ${TRON}` },
  {
    details: { iban: 'DE89370400440532013000', bic: 'DEUTDEFF' },
    key: 'bank DEUTDEFF DE89370400440532013000',
  },
  {
    details: { payeeAccount: 'iban de89 3704 0044 0532 0130 00' },
    key: 'bank  ibande89370400440532013000',
  },
  { details: { payeeAccount: 'abc 1234-5', bic: 'DEUTDEFFXXX' }, key: 'bank DEUTDEFFXXX abc1234-5' },
  { details: { payeeAccount: 'ABC12345', bic: 'DEUTDEFF' }, key: 'bank DEUTDEFF ABC12345' },
].map(({ details, key }) => ({ details: { ...NOTHING, ...details }, key }))

describe.each(everyDatabase)('the kept keys of addresses and accounts, $kind', (databases) => {
  it('get the form in which new ones are compared, and the details stay as typed', async () => {
    const { queries } = await databases.open()
    const row = { user_id: 5n, currency_id: 1n, kind: 'coin', bound_at: 0n, removed_at: null }
    const rows = METHODS.map(({ details, key }, index) => ({
      ...row,
      id: BigInt(index + 1),
      details: JSON.stringify(details),
      account_key: key,
    }))
    const closed = { ...row, id: 99n, details: JSON.stringify(NOTHING), account_key: '' }
    await queries
      .insertInto('receiving_method')
      .values([...rows, closed])
      .execute()
    await accountKeys().up(queries)
    const kept = await queries
      .selectFrom('receiving_method')
      .select(['id', 'details', 'account_key'])
      .orderBy('id')
      .execute()
    expect(kept).toEqual([
      ...METHODS.map(({ details }, index) => ({
        id: BigInt(index + 1),
        details: JSON.stringify(details),
        account_key: accountKey(details),
      })),
      { id: 99n, details: closed.details, account_key: '' },
    ])
    expect(new Set(kept.map((each) => each.account_key)).size).toBe(6)
  })

  it('leave each destination its number: one number of an account counts, a second one is told apart', async () => {
    const { queries } = await databases.open()
    const keys = [
      `coin ${STELLAR}`,
      'account  IBANDE89370400440532013000',
      'iban DE89370400440532013000',
      'account DEUTDEFFXXX ABC12345',
      'account  12345',
      `coin ${TRON}`,
      'forgotten 7',
    ]
    await queries
      .insertInto('payout_destination')
      .values(keys.map((key, index) => ({ id: BigInt(index + 1), account_key: key })))
      .execute()
    await accountKeys().up(queries)
    const kept = await queries.selectFrom('payout_destination').selectAll().orderBy('id').execute()
    expect(kept).toEqual(
      [
        accountKey({ ...NOTHING, address: STELLAR }),
        'iban DE89370400440532013000 #2',
        'iban DE89370400440532013000',
        accountKey({ ...NOTHING, payeeAccount: 'abc 1234-5', bic: 'DEUTDEFF' }),
        accountKey({ ...NOTHING, payeeAccount: '12345' }),
        `coin ${TRON}`,
        'forgotten 7',
      ].map((key, index) => ({ id: BigInt(index + 1), account_key: key })),
    )
  })

  it('of addresses with several spellings become one, each with its tag', async () => {
    const { queries } = await databases.open()
    const bound = [
      { ...NOTHING, address: TON },
      { ...NOTHING, address: TON_OTHER },
      { ...NOTHING, address: TON_OTHER, tag: 'user 77' },
      { ...NOTHING, iban: 'DE89370400440532013000' },
    ]
    const keys = [
      `coin ${TON}`,
      `coin ${TON_OTHER}`,
      `coin ${TON_OTHER} user 77`,
      accountKey(bound[3] ?? NOTHING),
    ]
    const row = { user_id: 5n, currency_id: 1n, kind: 'coin', bound_at: 0n, removed_at: null }
    await queries
      .insertInto('receiving_method')
      .values(
        keys.map((key, index) => ({
          ...row,
          id: BigInt(index + 1),
          details: JSON.stringify(bound[index]),
          account_key: key,
        })),
      )
      .execute()
    await queries
      .insertInto('payout_destination')
      .values([...keys, 'forgotten 7'].map((key, index) => ({ id: BigInt(index + 1), account_key: key })))
      .execute()
    for (let times = 0; times < 2; times += 1) await plainAddresses().up(queries)
    const keysIn = async (table: 'receiving_method' | 'payout_destination') =>
      (await queries.selectFrom(table).select('account_key').orderBy('id').execute()).map(
        (each) => each.account_key,
      )
    const expected = bound.map((details) => accountKey(details))
    expect(await keysIn('receiving_method')).toEqual(expected)
    expect(await keysIn('payout_destination')).toEqual([
      expected[0],
      `${expected[0]} #2`,
      expected[2],
      expected[3],
      'forgotten 7',
    ])
  })
})
