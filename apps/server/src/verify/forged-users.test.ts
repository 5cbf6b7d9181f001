import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { simulateDesk } from '../testing/desk-simulation.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { differenceWith } from './test-kit.ts'

/** Each forgery is verified separately. */
const TIMEOUT_MS = 600_000

/** A change by somebody with full access to the database, and the difference that `verify` must report. */
type Forgery = readonly [forge: (queries: Queries) => Promise<unknown>, difference: RegExp]

onEveryDatabase('verify of the rows of users', (databases) => {
  it('names each forged one', { timeout: TIMEOUT_MS }, async () => {
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

const run = (statement: string) => (queries: Queries) => sql.raw(statement).execute(queries)

/** User 1 is real, 2 a demo user, 3 was invited by 1, and 4 has closed the account. */
const USERS: Readonly<Record<string, Forgery>> = {
  'a credit score that new users have never got': [
    run('update app_user set credit_score = 999 where id = 3'),
    /^user 3: credit_score is "999", no audit entry set it, and others have got "100"$/,
  ],
  'an invitation code of somebody’s choice': [
    run("update app_user set invite_code = 'WELCOME' where id = 1"),
    /^user 1: invite_code is no code$/,
  ],
  'an invitation code of a closed account': [
    run("update app_user set invite_code = '0000000000000004' where id = 4"),
    /^user 4: invite_code is "0000000000000004", it should be "closed 4"$/,
  ],
  'a secret of a real user like those of demo users': [
    run("update app_user set demo_hash = 'another' where id = 1"),
    /^user 1: whether it has a demo_hash is true, it should be false$/,
  ],
  'a demo user without a secret': [
    run('update app_user set demo_hash = null where id = 2'),
    /^user 2: whether it has a demo_hash is false, it should be true$/,
  ],
  'a closed account that is open again': [
    run('update app_user set closed_at = null where id = 4'),
    /^user 4: closed_at is null, the journal closed the account$/,
  ],
  'another moment of closing': [
    run('update app_user set closed_at = closed_at + 86400000 where id = 4'),
    /^user 4: no activity says that it was closed at its closed_at$/,
  ],
  'another moment of registration': [
    run('update app_user set created_at = created_at + 86400000 where id = 3'),
    /^user 3: no consent was given when it was created$/,
  ],
  'another moment of registration and consent': [
    async (queries) => {
      await run('update app_user set created_at = created_at + 86400000 where id = 3')(queries)
      await run('update consent set at = at + 86400000 where user_id = 3')(queries)
    },
    /^user 3: no activity says that it registered when it was created$/,
  ],
  'a deleted user': [
    run('delete from app_user where id = 1'),
    /^user 1 is missing, its account has traded or moved money$/,
  ],
  'a log-in of a closed account': [
    run(`insert into member (user_id, email, email_key, area, language, password_hash)
      values (4, 'a@b.example', 'a@b.example', 'HK', 'en', 'x')`),
    /^user 4 is closed, and can still log in$/,
  ],
  'a log-in of a demo user': [
    run(`insert into member (user_id, email, email_key, area, language, password_hash)
      values (2, 'a@b.example', 'a@b.example', 'HK', 'en', 'x')`),
    /^user 2 is a demo user, and has a log-in$/,
  ],
  'a deleted log-in': [run('delete from member where user_id = 3'), /^user 3: its log-in is missing$/],
  'an address to log in with that is not the one written to': [
    run("update member set email_key = 'a@b.example' where user_id = 3"),
    /^user 3: email_key is "a@b.example", it should be "user3@mail.example"$/,
  ],
  'a phone number to log in with beside the address': [
    run(`update member set phone = '+85291234567', calling_code = '852', national_number = '91234567'
      where user_id = 3`),
    /^user 3: it needs either an e-mail address or a phone number$/,
  ],
  'a phone number that differs from its parts': [
    run(`update member set email = null, email_key = null, phone = '+85291234567', calling_code = '852',
      national_number = '91234568' where user_id = 3`),
    /^user 3: phone is "\+85291234567", it should be "\+85291234568"$/,
  ],
  'an invitation by a demo user': [
    run('update member set invited_by = 2 where user_id = 3'),
    /^user 3: invited_by is "2", who could not invite$/,
  ],
  'an invitation by oneself': [
    run('update member set invited_by = 3 where user_id = 3'),
    /^user 3: invited_by is "3", who could not invite$/,
  ],
  'a deleted consent': [
    run('delete from consent where user_id = 3'),
    /^user 3: no consent was given when it was created$/,
  ],
  'a consent to another version': [
    run("update consent set version = '2027-01-01' where user_id = 3"),
    /^user 3: consent is to version "2027-01-01", in force was 2026-11-21$/,
  ],
  'a deleted registration': [
    run("delete from user_activity where kind = 'registered' and user_id = 3"),
    /^user 3: no activity says that it registered when it was created$/,
  ],
}

const LOG_INS: Readonly<Record<string, Forgery>> = {
  'a second factor that was switched off': [
    run('delete from second_factor where user_id = 1'),
    /^user 1: its second factor is missing, its activities say it is on$/,
  ],
  'a second factor that the user did not set up': [
    run("insert into second_factor (user_id, secret, confirmed_at, last_step) values (3, 'x', 5, 0)"),
    /^user 3: no activity says that its second factor was set up at its confirmed_at$/,
  ],
  'a second factor confirmed at another time': [
    run('update second_factor set confirmed_at = confirmed_at + 86400000'),
    /^user 1: no activity says that its second factor was set up at its confirmed_at$/,
  ],
  'a passkey that the user did not add': [
    run(`insert into passkey (id, user_id, domain, name, public_key, counter, transports, is_synced, created_at)
      select 'x', user_id, domain, name, public_key, counter, transports, is_synced, created_at
      from passkey where user_id = 1`),
    /^user 1: no activity says that each of its passkeys was added$/,
  ],
  'a passkey of somebody else': [
    run('update passkey set user_id = 3 where user_id = 1'),
    /^user 1: a passkey is missing, its activities say it is on$/,
  ],
  'a passkey added at another time': [
    run('update passkey set created_at = 5 where user_id = 1'),
    /^user 1: no activity says that each of its passkeys was added$/,
  ],
  'a second factor of an operator that was switched off': [
    run('update operator set totp_confirmed_at = null where id = 1'),
    /^operator 1: whether the second factor is on is false, it should be true, as the audit log says$/,
  ],
  'a passkey that an operator did not add': [
    run(`insert into passkey (id, operator_id, domain, name, public_key, counter, transports, is_synced, created_at)
      select 'x', 2, domain, name, public_key, counter, transports, is_synced, created_at
      from passkey where operator_id = 1`),
    /^operator 2: passkeys 0 is "a key ring", it should be missing, as the audit log says$/,
  ],
  'a deleted passkey of an operator': [
    run('delete from passkey where operator_id = 1'),
    /^operator 1: passkeys 0 is missing, it should be "a key ring", as the audit log says$/,
  ],
}

const AT_THE_DESK: Readonly<Record<string, Forgery>> = {
  'the moment of a verification': [
    run('update verified_person set at = at + 86400000 where user_id = 1'),
    /^verified person 1: at is "\d+", it should be "\d+"$/,
  ],
  'documents that wait again': [
    run("update identity_check set status = 'waiting' where user_id = 3"),
    /^identity check of user 3: times_sent is "1", it should be "2"$/,
  ],
  'rejected documents that are approved': [
    run("update identity_check set status = 'approved' where user_id = 3"),
    /^identity check of user 3: status is "approved", it should be "rejected"$/,
  ],
  'more submissions of documents': [
    run('update identity_check set times_sent = 3 where user_id = 3'),
    /^identity check of user 3: times_sent is "3", it should be "1"$/,
  ],
  'the moment of a rejection': [
    run('update identity_check set decided_at = decided_at + 86400000 where user_id = 3'),
    /^identity check of user 3: decided_at is "\d+", it should be "\d+"$/,
  ],
  'the faults of documents': [
    run("update identity_check set faults = replace(faults, 'reverse', 'front') where user_id = 3"),
    /^identity check of user 3: faults 0 field is "front", it should be "reverse"$/,
  ],
  'the document of somebody else': [
    run("update stored_file set user_id = 1 where key = 'front'"),
    /^identity check of user 3: the owner of its front is "1", it should be "3"$/,
  ],
  'a picture that is not there': [
    run("update identity_check set reverse = 'another' where user_id = 3"),
    /^identity check of user 3: the owner of its reverse is null, it should be "3"$/,
  ],
  'the author of a note': [
    run("update person_note set operator_id = 2, operator_name = 'Bo', role = 'administrator'"),
    /^note 1: operator_id is "2", it should be "3", as audit entry \d+ says$/,
  ],
  'the name below a note': [
    run("update person_note set operator_name = 'Bo'"),
    /^note 1: operator_name is "Bo", it should be "Cy", as audit entry \d+ says$/,
  ],
  'the role below a note': [
    run("update person_note set role = 'support'"),
    /^note 1: role is "support", it should be "compliance", as audit entry \d+ says$/,
  ],
  'the user of a note': [
    run('update person_note set account_id = 3'),
    /^note 1: account_id is "3", it should be "1", as audit entry \d+ says$/,
  ],
  'the moment of a note': [
    run('update person_note set at = at - 86400000'),
    /^note 1: at is "\d+", it should be "\d+", as audit entry \d+ says$/,
  ],
  'a deleted note': [
    run('delete from person_note'),
    /^audit entry \d+ is about a note on user 1, which is missing$/,
  ],
  'a note that nobody wrote': [
    run(`insert into person_note (id, account_id, at, operator_id, operator_name, role, text)
      select 2, account_id, at, operator_id, operator_name, role, 'trust this one' from person_note`),
    /^note 2: no audit entry says that it was written$/,
  ],
  'a user who works for the broker, recorded by nobody': [
    run('insert into staff_user (user_id) values (3)'),
    /^user 3: no audit entry says that it works for the broker$/,
  ],
  'a user who works for the broker no longer': [
    run('delete from staff_user'),
    /^user 1 works for the broker by the audit log, not by the tables$/,
  ],
}

const FORGERIES: Readonly<Record<string, Forgery>> = { ...USERS, ...LOG_INS, ...AT_THE_DESK }
