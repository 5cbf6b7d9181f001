import { money, type Event } from '@fairlot/core'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { DeskActTable } from '../platform/database/desk-schema.ts'
import type { Database, Queries } from '../platform/database/open.ts'
import type { Tables } from '../platform/database/schema.ts'
import { simulateDesk } from '../testing/desk-simulation.ts'
import { onEveryDatabase, type Databases } from '../testing/on-every-database.ts'
import { createHarness } from '../testing/engine-harness.ts'
import {
  audit,
  differenceWith,
  forgeEntry,
  RULES_OF_TABLES,
  type AuditEdit,
  type EntryEdit,
  type RuleOfTables,
} from './test-kit.ts'
import { verify } from './verify.ts'

/** Each forgery is verified separately. */
const TIMEOUT_MS = 600_000

/** A change by somebody with full access to the database, and the difference that `verify` must report. */
type Forgery = readonly [forge: (queries: Queries) => Promise<unknown>, difference: RegExp]

onEveryDatabase('verify of a forged row', (databases) => {
  it('names each forged row', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await simulateDesk(database)
    expect((await verify(database)).difference).toBeNull()
    const missed: string[] = []
    for (const [name, [forge, pattern]] of Object.entries(FORGERIES)) {
      const difference = await differenceWith(database, forge).catch(String)
      if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
    expect((await verify(database)).difference).toBeNull()
  })

  it(
    'names a journal row forged with consistent hashes and tables, by the audit log',
    { timeout: TIMEOUT_MS },
    async () => {
      const database = await databases.open()
      await simulateDesk(database)
      const missed: string[] = []
      for (const [name, [edit, pattern]] of Object.entries(REWRITTEN)) {
        const difference = await differenceOfRewritten(databases, database, edit)
        if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
      }
      expect(missed).toEqual([])
    },
  )
})

it('has a forgery by one operator for each rule of two operators that concerns tables only', () => {
  expect(Object.keys(BY_ONE).toSorted()).toEqual(RULES_OF_TABLES.toSorted())
  expect(Object.values(BY_ONE).filter((name) => !Object.hasOwn(ONE_IN_PLACE_OF_TWO, name))).toEqual([])
})

/** Tables that do not follow from the journal alone. */
const NOT_FROM_JOURNAL = [
  'desk_act',
  'operator',
  'approval',
  'app_user',
  'verified_person',
  'receiving_method',
  'payout_destination',
  'withdrawal',
  'deposit',
  'setting',
  'deposit_channel',
  'wire_account',
  'withdrawal_currency',
] as const satisfies readonly (keyof Tables)[]

/** A copy of a database with a rewritten journal and tables made from it; other tables are unchanged. */
async function differenceOfRewritten(
  databases: Databases,
  original: Database,
  edit: EntryEdit,
): Promise<string | null> {
  const place = await databases.place()
  const forged = await databases.open(place)
  const journal = await original.queries.selectFrom('journal').selectAll().orderBy('seq').execute()
  await forged.queries.insertInto('journal').values(journal).execute()
  await sql
    .raw(
      databases.kind === 'sqlite'
        ? 'drop trigger journal_no_update'
        : 'alter table journal disable trigger all',
    )
    .execute(forged.queries)
  await forgeEntry(forged.queries, edit)
  const { engine } = await createHarness(forged, { startAt: Number(journal.at(-1)?.at) })
  await engine.caughtUp()
  await engine.stop()
  for (const table of NOT_FROM_JOURNAL) {
    const rows = await original.queries.selectFrom(table).selectAll().execute()
    await forged.queries.insertInto(table).values(rows).execute()
  }
  return (await verify(forged)).difference
}

type Type = Event['type']
const onEvent =
  <Name extends Type>(
    type: Name,
    forge: (event: Extract<Event, { type: Name }>) => Event | null,
  ): EntryEdit =>
  (entry) => {
    for (const [index, event] of entry.events.entries()) {
      const forged = event.type === type ? forge(event as Extract<Event, { type: Name }>) : null
      if (forged) return { ...entry, events: entry.events.toSpliced(index, 1, forged) }
    }
    return null
  }

const REWRITTEN: Readonly<Record<string, readonly [edit: EntryEdit, difference: RegExp]>> = {
  'a deposit of a thousand more': [
    onEvent('depositEnded', (event) => {
      const amount = money(1_499_999_999n)
      return event.outcome === 'finished'
        ? { ...event, amount, transfers: event.transfers.map((transfer) => ({ ...transfer, amount })) }
        : null
    }),
    /^audit entry \d+: after credited is "499.999999", it should be "1499.999999"$/,
  ],
  'another reason': [
    (entry) =>
      entry.author.type === 'operator' && entry.events[0]?.type === 'accountStatusSet'
        ? {
            ...entry,
            author: { ...entry.author, reason: 'another' },
            events: entry.events.map((event) =>
              event.type === 'accountStatusSet' ? { ...event, reason: 'another' } : event,
            ),
          }
        : null,
    /^audit entry \d+: reason is "a reason to restrictPerson", it should be "another"$/,
  ],
  'another second operator': [
    (entry) =>
      entry.author.type === 'operator' && entry.events.at(-1)?.type === 'withdrawalEnded'
        ? { ...entry, author: { ...entry.author, second: { id: 3, role: 'compliance' } } }
        : null,
    /^audit entry \d+: second operator is "2", it should be 3$/,
  ],
  'another mode of restriction': [
    onEvent('accountStatusSet', (event) =>
      event.status === 'closeOnly' ? { ...event, status: 'frozen' } : null,
    ),
    /^(audit entry \d+: after status is "closeOnly", it should be "frozen"|journal row \d+: accountStatusSet: (alone|recentFreeze) is missing.*)$/,
  ],
  'other terms': [
    onEvent('termsSet', (event) =>
      event.change.kind === 'settings' && event.change.settings.stopOutLevel === 49
        ? {
            ...event,
            change: {
              ...event.change,
              settings: { ...event.change.settings, stopOutLevel: 40 },
            },
          }
        : null,
    ),
    /^audit entry \d+: after stopOutLevel is "49", it should be "40"$/,
  ],
}

const run = (statement: string) => (queries: Queries) => sql.raw(statement).execute(queries)

/** The first audit entry of a kind. */
const ofKind = (act: string, edit: AuditEdit) => audit((row) => (row.act === act ? edit(row) : null))
const saying = (text: string, edit: AuditEdit) =>
  audit((row) => (row.after?.includes(text) ? edit(row) : null))

const inAfter = (row: DeskActTable, given: object): Partial<DeskActTable> => ({
  after: JSON.stringify({ ...(JSON.parse(row.after ?? '{}') as object), ...given }),
})

const AUDIT_LOG: Readonly<Record<string, Forgery>> = {
  'the kind of an audit entry': [
    ofKind('restrictPerson', () => ({ act: 'setCreditScore' })),
    /^audit entry \d+: kind is "setCreditScore", it should be "restrictPerson"$/,
  ],
  'the subject of an audit entry': [
    ofKind('decideDeposit', () => ({ subject: 'deposit:77' })),
    /^audit entry \d+: subject is "deposit:77", it should be "deposit:1"$/,
  ],
  'the account of an audit entry': [
    saying('"paid"', () => ({ account_id: 2n })),
    /^audit entry \d+: account is "2", it should be 1$/,
  ],
  'the reason of an audit entry': [
    ofKind('closeOrder', () => ({ reason: 'the client asked for it' })),
    /^audit entry \d+: reason is "the client asked for it", it should be "a reason to closeOrder"$/,
  ],
  'the operator of an audit entry': [
    ofKind('decideDeposit', () => ({ operator_id: 3n, operator_name: 'Cy' })),
    /^audit entry \d+: names an entry of the journal at \d+ of operator 3: there is none$/,
  ],
  'the name of an operator': [
    ofKind('decideDeposit', () => ({ operator_name: 'Cy' })),
    /^audit entry \d+: name of operator 1 is "Cy", it should be "Ada"$/,
  ],
  'the name of a second operator': [
    ofKind('closeOrder', () => ({ second_name: 'Cy' })),
    /^audit entry \d+: name of operator 2 is "Cy", it should be "Bo"$/,
  ],
  'the role of an audit entry': [
    ofKind('decideDeposit', () => ({ role: 'administrator' })),
    /^audit entry \d+: role is "administrator", it should be "finance"$/,
  ],
  'the second operator of an audit entry': [
    ofKind('closeOrder', () => ({ second_id: 3n, second_name: 'Cy' })),
    /^audit entry \d+: second operator is "3", it should be 2$/,
  ],
  'no second operator of an audit entry': [
    ofKind('closeOrder', () => ({ second_id: null, second_name: null })),
    /^audit entry \d+: second operator is null, it should be 2$/,
  ],
  'the moment of an audit entry': [
    ofKind('halt', (row) => ({ journal_at: (row.journal_at ?? 0n) + 5n })),
    /^audit entry \d+: names an entry of the journal at \d+ of operator 4: there is none$/,
  ],
  'the outcome of an audit entry': [
    ofKind('askAdjustment', () => ({ outcome: 'roleRefused' })),
    /^audit entry \d+: it was refused as "roleRefused" and names the journal entry at \d+$/,
  ],
  'the amount credited': [
    saying('credited', (row) => inAfter(row, { credited: '1,499.999999' })),
    /^audit entry \d+: after credited is "1,499.999999", it should be "499.999999"$/,
  ],
  'no amount credited': [
    saying('credited', () => ({ after: '{"status":"finished"}' })),
    /^audit entry \d+: after credited is missing, it should be "499.999999"$/,
  ],
  'the reported amount': [
    ofKind('decideDeposit', () => ({ before: '{"told":"1499.999999","status":"open"}' })),
    /^audit entry \d+: before told is "1499.999999", it should be "499.999999"$/,
  ],
  'a deposit refused in place of invalid': [
    saying('rejected', (row) => inAfter(row, { status: 'invalid' })),
    /^audit entry \d+: after status is "invalid", it should be "rejected"$/,
  ],
  'a withdrawal rejected in place of paid': [
    saying('"paid"', (row) => inAfter(row, { status: 'rejected' })),
    /^audit entry \d+: after status is "rejected", it should be "paid"$/,
  ],
  'the amount of a requested adjustment': [
    ofKind('askAdjustment', () => ({ after: '{"amount":"8500000"}' })),
    /^audit entry \d+: after amount is "8500000", it should be "7500000"$/,
  ],
  'the amount of a correction': [
    ofKind('decideAdjustment', (row) => inAfter(row, { amount: '8.5' })),
    /^audit entry \d+: after amount is "8.5", it should be "7.500000"$/,
  ],
  'the end of a correction': [
    ofKind('decideAdjustment', (row) => inAfter(row, { status: 'refused' })),
    /^audit entry \d+: after status is "refused", it should be "approved"$/,
  ],
  'terms that were not changed': [
    ofKind('changeTerms', (row) => inAfter(row, { maxLivingOrders: '20' })),
    /^audit entry \d+: after maxLivingOrders is "20", it should be "5000"$/,
  ],
  'terms from another moment on': [
    ofKind('changeTerms', (row) => inAfter(row, { holdsFrom: '2031-01-01T00:00:00.000Z' })),
    /^audit entry \d+: after holdsFrom is "2031-01-01T00:00:00.000Z", it should be "at once"$/,
  ],
  'a halt of another instrument': [
    saying('"halted"', () => ({ after: '{"halted":["EURUSD","GBPUSD"]}' })),
    /^audit entry \d+: after halted names GBPUSD, the journal does not$/,
  ],
  'a halt that was a resumption': [
    saying('"resumed"', () => ({ after: '{"halted":["EURUSD"]}' })),
    /^audit entry \d+: after halted is \["EURUSD"\], it should be "not halted"$/,
  ],
  'an audit entry of a credit that never was': [
    audit((row) =>
      row.id === 1n
        ? [
            row,
            { ...row, subject: 'deposit:9', after: '{"credited":"5","status":"finished"}', journal_at: null },
          ]
        : null,
    ),
    /^audit entry 2: it says "finished" and names no entry of the journal$/,
  ],
  'a deleted audit entry': [
    saying('"paid"', () => []),
    /^withdrawalPaying at \d+ of operator 1 is in the journal and not in the audit log$/,
  ],
}

const APPROVALS: Readonly<Record<string, Forgery>> = {
  'an approval reopened': [
    run("update approval set status = 'waiting' where id = 1"),
    /^approval 1: status is "waiting", it should be "approved"$/,
  ],
  'an approval that nobody gave': [
    run("update approval set status = 'approved', decided_by = 3, decided_name = 'Cy' where id = 2"),
    /^approval 2: it is approved, and no audit entry says so$/,
  ],
  'an approval by somebody else': [
    run("update approval set decided_by = 3, decided_name = 'Cy' where id = 1"),
    /^approval 1: decided_by is "3", it should be "2"$/,
  ],
  'the name of the approving operator': [
    run("update approval set decided_name = 'Cy' where id = 1"),
    /^approval 1: decided_name is "Cy", it should be "Bo"$/,
  ],
  'the reason of an approval': [
    run("update approval set decided_reason = 'gladly' where id = 1"),
    /^approval 1: decided_reason is "gladly", it should be "I see it too"$/,
  ],
  'the requester of an approval': [
    run("update approval set asked_by = 3, asked_name = 'Cy' where id = 2"),
    /^approval 2: no audit entry says that Cy asked for it, as it is$/,
  ],
  'the subject of an approval': [
    run("update approval set subject = 'instrument:GBPUSD' where id = 2"),
    /^approval 2: no audit entry says that Ada asked for it/,
  ],
  'the change of an approval': [
    run(`update approval set after = '{"trading":"on"}' where id = 2`),
    /^approval 2: no audit entry says that Ada asked for it/,
  ],
  'the command of an approval': [
    run("update approval set body = replace(body, 'odd', 'odder') where id = 2"),
    /^approval 2: what is to be done is not what audit entry \d+ says$/,
  ],
  'an approval without a request': [
    run(`insert into approval (id, kind, subject, body, reason, asked_by, asked_name, asked_role, asked_at, status, decided_reason)
      select 3, kind, subject, body, reason, asked_by, asked_name, asked_role, asked_at, status, decided_reason from approval where id = 2`),
    /^approval 3: no audit entry says that Ada asked for it/,
  ],
  'a deleted approval': [
    run('delete from approval where id = 2'),
    /^audit entry \d+ asks for a second operator, and no approval does$/,
  ],
}

const USERS_AND_OPERATORS: Readonly<Record<string, Forgery>> = {
  'a role that nobody gave': [
    run("update operator set role = 'administrator' where id = 1"),
    /^operator 1: role is "administrator", it should be "finance"$/,
  ],
  'an operator who is switched off': [
    run('update operator set is_on = 0 where id = 2'),
    /^operator 2: is_on is false, it should be true$/,
  ],
  'an operator whom nobody invited': [
    run(`insert into operator (id, name, name_key, role, totp_last_step, is_on, created_at)
      values (77, 'Zed', 'zed', 'administrator', 0, 1, 5)`),
    /^operator 77 is not in the journal$/,
  ],
  'a deleted operator': [
    run('delete from operator where id = 3'),
    /^operator 3 is in the journal and not in the tables$/,
  ],
  'the account of a payout method': [
    run("update receiving_method set details = '{}' where id = 1"),
    /^payout method 1: digest of its details is /,
  ],
  'the owner of a payout method': [
    run('update receiving_method set user_id = 2 where id = 1'),
    /^payout method 1: user_id is "2", it should be "?1"?$/,
  ],
  'a payout method that nobody added': [
    run(`insert into receiving_method (id, user_id, currency_id, kind, details, account_key, bound_at, destination, salt)
      select 77, user_id, currency_id, kind, details, 'another', bound_at, destination, salt from receiving_method where id = 1`),
    /^payout method 77 is not in the journal$/,
  ],
  'a deleted payout method': [
    run('delete from receiving_method where id = 1'),
    /^payout method 1 is in the journal and not in the tables$/,
  ],
  'a payout method that was removed': [
    run('update receiving_method set removed_at = 5 where id = 1'),
    /^payout method 1: whether it is offered is false, it should be true$/,
  ],
  'the account key of a payout method': [
    run("update receiving_method set account_key = 'another' where id = 1"),
    /^payout method 1: account_key is "another", it should be "coin /,
  ],
  'the account key of a payout destination': [
    run("update payout_destination set account_key = 'another'"),
    /^payout destination \d+: /,
  ],
  'the price of a withdrawal': [
    run("update withdrawal set price = '9'"),
    /^withdrawal 3: price is "90000000000", it should be "10000000000"$/,
  ],
  'the received amount of a withdrawal': [
    run("update withdrawal set received = '9999'"),
    /^withdrawal 3: received is "999900000000", it should be "9500000000"$/,
  ],
  'the method of a withdrawal': [
    run('update withdrawal set method_id = 77'),
    /^withdrawal 3: method_id is "77", it should be /,
  ],
  'the payout details of a withdrawal': [
    run(`update withdrawal set method = '{"address":"elsewhere"}'`),
    /^withdrawal 3: digest of its method is /,
  ],
  'a withdrawal without its row': [
    run('delete from withdrawal'),
    /^withdrawal 3 is in the journal and not in the tables$/,
  ],
  'a demo that becomes real': [
    run('update app_user set is_demo = 0 where id = 2'),
    /^user 2: is_demo is "0", it should be "1"$/,
  ],
  'a credit score': [
    run('update app_user set credit_score = 999 where id = 1'),
    /^user 1: credit_score is "999", it should be "80"$/,
  ],
  'a user who has closed their account': [
    run('update app_user set closed_at = 5 where id = 1'),
    /^user 1 is closed, account is "active", it should be "closed"$/,
  ],
  'a user without an account': [
    run(`insert into app_user (id, is_demo, invite_code, credit_score, created_at)
      values (77, 0, 'a code', 100, 5)`),
    /^user 77 has no account in the journal$/,
  ],
  'a verified user without a check': [
    run("insert into verified_person (user_id, at, operator_id, reason) values (2, 5, 3, 'seen')"),
    /^verified person 2: the audit log does not say that their identity was seen$/,
  ],
  'a user verified by another operator': [
    run('update verified_person set operator_id = 2 where user_id = 1'),
    /^verified person 1: operator_id is "2", it should be "3"$/,
  ],
  'a user whose verification was removed': [
    run('delete from verified_person where user_id = 1'),
    /^audit entry \d+ says that user 1 is verified, the tables do not$/,
  ],
  'documents that nobody approved': [
    run(`insert into identity_check (user_id, status, name, number, number_mark, front, reverse, sent_at, times_sent, faults)
      values (2, 'approved', 'a', 'b', 'c', 'd', 'e', 5, 1, '')`),
    /^identity check of user 2: status is "approved", it should be missing$/,
  ],
  'a deposit of somebody else': [
    run('update deposit set user_id = 2 where case_id = 1'),
    /^deposit 1: user_id is 2, it should be 1$/,
  ],
  'a deposit without a request': [
    run('update deposit set case_id = 77 where case_id = 1'),
    /^deposit 77 is not in the journal$/,
  ],
  'a withdrawal of somebody else': [
    run('update withdrawal set user_id = 2'),
    /^withdrawal 3: user_id is 2, it should be 1$/,
  ],
  'the approving operator of a withdrawal': [
    run("update money_case set approved_by = 3 where kind = 'withdrawal'"),
    /^case 3: approved_by is "?3"?, it should be "?2"?$/,
  ],
  'the reference of a payment': [
    run("update withdrawal set reference = 'another'"),
    /^withdrawal 3: reference is "another", it should be "a transfer"$/,
  ],
  'a setting': [
    run("update setting set value = '9' where name = 'news_kept_days'"),
    /^setting news_kept_days: value is "9", it should be "2", as the audit log says$/,
  ],
}

const PAYMENT_SETUP: Readonly<Record<string, Forgery>> = {
  'an address for deposits': [
    run("update deposit_channel set address = 'TXYZ' where id = 1"),
    /^deposit address 1: address is "TXYZ", it should be "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", as the audit log says$/,
  ],
  'an address that was switched off': [
    run('update deposit_channel set is_on = 1 where id = 2'),
    /^deposit address 2: state is "on", it should be "off"/,
  ],
  'an address that nobody set up': [
    run(`insert into deposit_channel (id, currency_code, protocol_code, address, is_on, version, changed_at)
      values (3, 'USDT', 'TRC20', 'TXYZ', 1, 1, 5)`),
    /^deposit address 3: no audit entry says that it was set up$/,
  ],
  'a deleted address': [
    run('delete from deposit_channel where id = 1'),
    /^deposit address 1 is in the audit log and not in the tables$/,
  ],
  'lower limits of an address, announced by nobody': [
    run('update deposit_channel set limits_from = 1 where id = 1'),
    /^deposit address 1: limitsFrom is "1970-01-01T00:00:00.001Z", it should be "none"/,
  ],
  'a bank account for deposits': [
    run("update wire_account set payee_account = 'GB33BUKB20201555555555'"),
    /^bank account for deposits 1: payeeAccount is "GB33BUKB20201555555555", it should be "DE89370400440532013000"/,
  ],
  'the fixed rate of deposits': [
    run('update wire_account set fixed_rate = 110000000000'),
    /^bank account for deposits 1: fixedRate is "11", it should be "1.1"/,
  ],
  'the limit of deposits': [
    run('update wire_account set day_limit = null'),
    /^bank account for deposits 1: dayLimit is "none", it should be "5000.000000"/,
  ],
  'the price of a payout currency': [
    run("update withdrawal_currency set usd_price = '10'"),
    /^payout currency 1: usdPrice is "10", it should be "1"/,
  ],
  'the fee of a payout currency': [
    run('update withdrawal_currency set fee = 0'),
    /^payout currency 1: fee is "0.000000", it should be "5.000000"/,
  ],
  'the minimum of a payout currency': [
    run('update withdrawal_currency set minimum = 0'),
    /^payout currency 1: minimum is "0.000000", it should be "10.000000"/,
  ],
  'a setting that nobody changed': [
    run("insert into setting (name, value) values ('uploads_per_hour', '9999')"),
    /^setting uploads_per_hour: no audit entry says that it was changed$/,
  ],
  'a setting of two operators': [
    run("update setting set value = '0' where name = 'payout_wait_hours'"),
    /^setting payout_wait_hours: value is "0", it should be "48", as the audit log says$/,
  ],
  'a deleted setting of two operators, which the next start would set': [
    run("delete from setting where name = 'payout_wait_hours'"),
    /^setting payout_wait_hours: value is missing, it should be "48"$/,
  ],
}

/** Somebody who rewrites the audit log writes entries of one operator in place of two. */
const alone = () => ({ second_id: null, second_name: null })
const ONE_IN_PLACE_OF_TWO: Readonly<Record<string, Forgery>> = {
  'a deposit address set up by one operator': [
    saying('TRC20', alone),
    /^audit entry \d+: deposit addresses and bank accounts: it names one operator, it should name two$/,
  ],
  'a payout currency set up by one operator': [
    saying('usdPrice', alone),
    /^audit entry \d+: withdrawal currencies: price, fee, limits: it names one operator, it should name two$/,
  ],
  'a setting of two operators changed by one': [
    saying('"value":"48"', alone),
    /^audit entry \d+: settings: .*: it names one operator, it should name two$/,
  ],
  'a user verified without documents by one operator': [
    saying('"verified"', alone),
    /^audit entry \d+: verifying a user without documents: it names one operator, it should name two$/,
  ],
  'a log-in reset by one operator': [
    ofKind('setCreditScore', () => ({
      act: 'changeOperators',
      subject: 'operator:2',
      account_id: null,
      before: '{"password":"chosen","secondFactor":"set up"}',
      after: '{"password":"none","secondFactor":"none"}',
    })),
    /^audit entry \d+: resetting a log-in: it names one operator, it should name two$/,
  ],
  'keys renewed by one operator': [
    ofKind('setCreditScore', () => ({
      act: 'changeOperators',
      subject: 'operator:2',
      account_id: null,
      before: null,
      after: '{"invitation":"renewed"}',
    })),
    /^audit entry \d+: new keys for an invitation: it names one operator, it should name two$/,
  ],
  'an invitation by one operator': [
    ofKind('setCreditScore', () => ({
      act: 'changeOperators',
      subject: 'operator:new',
      account_id: null,
      before: null,
      after: '{"name":"Zed","role":"support"}',
    })),
    /^audit entry \d+: inviting an operator: it names one operator, it should name two$/,
  ],
  'a role given by one operator': [
    ofKind('setCreditScore', () => ({
      act: 'changeOperators',
      subject: 'operator:2',
      account_id: null,
      before: '{"role":"finance","isOn":true}',
      after: '{"role":"administrator","isOn":true}',
    })),
    /^audit entry \d+: changing a role, or switching an operator on: it names one operator, it should name two$/,
  ],
  'another address by one operator who switches the old one off': [
    ofKind('setCreditScore', () => ({
      act: 'editPaymentSetup',
      subject: 'depositChannel:1',
      account_id: null,
      before: '{"address":"T1","isOn":true}',
      after: '{"address":"T2","isOn":false}',
    })),
    /^audit entry \d+: deposit addresses and bank accounts: it names one operator, it should name two$/,
  ],
  'a second operator who is the first': [
    saying('usdPrice', (row) => ({ second_id: row.operator_id, second_name: row.operator_name })),
    /^audit entry \d+: withdrawal currencies: price, fee, limits: its second operator is the first$/,
  ],
}

/** The forgery of each rule; forged-decisions.test.ts has those of the journal. */
const BY_ONE: Readonly<Record<RuleOfTables, string>> = {
  receivingAccount: 'a deposit address set up by one operator',
  payoutCurrency: 'a payout currency set up by one operator',
  setting: 'a setting of two operators changed by one',
  renewInvitation: 'keys renewed by one operator',
  resetOperator: 'a log-in reset by one operator',
  verifyPerson: 'a user verified without documents by one operator',
}

const MARKET: Readonly<Record<string, Forgery>> = {
  'the rates of a rollover': [
    run("update night set rates = replace(rates, '1', '2') where rates <> '[]'"),
    /^rollover \d+: rates is /,
  ],
  'the end of a rollover': [
    run('update night set ended_at = ended_at + 1'),
    /^rollover \d+: ended_at is "\d+", it should be \d+$/,
  ],
  'an invented rollover': [
    run("insert into night (rollover, rates, terms, ended_at) values (5, '[]', 1, 5)"),
    /^rollover 5 is not in the journal$/,
  ],
  'a deleted rollover': [run('delete from night'), /^rollover \d+ is missing$/],
  'the last price': [
    run('update quote set bid = bid - 1'),
    /^quote of instrument 1: bid is "108009", it should be 108010$/,
  ],
  'a last price whose sides are crossed': [
    run('update quote set bid = ask + 1, received_at = received_at + 1'),
    /^quote of instrument 1: bid \d+ is above ask \d+$/,
  ],
  'a candle with too high a low': [
    run('update candle set low = open + 1'),
    /^candle 1min of instrument 1 \(live\) at \d+: its low is above another of its prices$/,
  ],
  'a candle with too low a high': [
    run('update candle set close = high + 1'),
    /^candle 1min of instrument 1 \(live\) at \d+: its high is below another of its prices$/,
  ],
  'a candle between two minutes': [
    run('update candle set time = time + 1'),
    /^candle 1min of instrument 1 \(live\) at \d+: it does not start where bars of its period do$/,
  ],
  'a candle of no instrument': [
    run('update candle set instrument_id = 99'),
    /^candle 1min of instrument 99 \(live\) at \d+: no instrument has such a number$/,
  ],
}

const SUMS: Readonly<Record<string, Forgery>> = {
  'the fees of a day': [
    run("update money_day set amount = amount + 1 where kind = 'fee' and ledger = 'real'"),
    /^report sums: money of day \d+, real, fee: amount is "\d+", it should be "\d+"$/,
  ],
  'a kind of money deleted from the reports': [
    run("delete from money_day where kind = 'swap'"),
    /^report sums: money of day \d+, demo, swap is missing$/,
  ],
  'money of a day that never was': [
    run("insert into money_day (day, ledger, kind, amount, count) values (5, 'real', 'fee', 1, 1)"),
    /^report sums: money of day 5, real, fee: it should not be there$/,
  ],
  'the fills of a day': [
    run('update fill_day set slippage = slippage - 7'),
    /^report sums: fills of day \d+, .*: slippage is "-7", it should be "0"$/,
  ],
  'the result of an account': [
    run('update account_day set result = result + 1 where account_id = 1'),
    /^report sums: trading of account 1, day \d+: result is "-?\d+", it should be "-?\d+"$/,
  ],
  'a hash that was mailed': [
    run(`update mailed_hash set journal_hash = '${'1'.repeat(64)}'`),
    /^hashes mailed on 2026-01-06: journal row \d+ has the hash [0-9a-f]{64}, but was published as 1{64}/,
  ],
}

const FORGERIES: Readonly<Record<string, Forgery>> = {
  ...AUDIT_LOG,
  ...APPROVALS,
  ...USERS_AND_OPERATORS,
  ...PAYMENT_SETUP,
  ...ONE_IN_PLACE_OF_TWO,
  ...MARKET,
  ...SUMS,
}
