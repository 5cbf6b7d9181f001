import { getAuditEntry, getChainHeads, listAuditEntries, listWaiting, takeCase } from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { movablePace, sentTo } from '../../testing/accounts.ts'
import { createOutbox } from '../../platform/mail/outbox.ts'
import { createMessageWriter } from '../../notices/message-writer.ts'
import { atDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { createAuditLog } from './audit-log.ts'
import { startChainMail } from './chain-mail.ts'

const DAY_MS = 86_400_000
const RECIPIENTS = ['auditor@mail.example', 'owner@mail.example']
const ALL = {
  operatorId: null,
  act: null,
  subject: null,
  accountId: null,
  outcome: null,
  since: null,
  until: null,
  search: null,
  page: 1,
}

describe.each(DATABASES)('audit entries, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, {
    pace,
    env: { FEED: 'ws://127.0.0.1:9', SETTING_JOURNAL_HASH_RECIPIENTS: RECIPIENTS.join(', ') },
  })

  test('are found by operator, action, subject, account, outcome, time and text', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const { queries } = server().deployment.database
    const log = createAuditLog(queries, pace.wall, () => {})
    const since = Math.floor(pace.wall())
    const entry = {
      operator: compliance,
      act: 'restrictPerson',
      subject: 'person:77',
      accountId: 77,
    } as const
    const more = { before: { status: 'active' }, after: { status: 'frozen' }, reason: '100% certain' }
    await log.perform({ ...entry, ...more }, () => Promise.resolve(null))
    await log.recordRefusal({ ...entry, reason: 'once more' }, { rejected: 'accountNotFound', details: {} })
    const found = async (filter: Partial<typeof ALL> | object) =>
      (await compliance.request(listAuditEntries, { ...ALL, ...filter })).acts.map(({ reason }) => reason)
    expect(await found({ accountId: 77 })).toEqual(['once more', '100% certain'])
    expect(await found({ operatorId: compliance.id, outcome: 'done' })).toEqual(['100% certain'])
    expect(await found({ subject: 'person:77', outcome: 'refused' })).toEqual(['once more'])
    expect(await found({ search: 'FROZEN' })).toEqual(['100% certain'])
    expect(await found({ search: '0% c' })).toEqual(['100% certain'])
    expect(await found({ search: '1_0%' })).toEqual([])
    expect(await found({ act: 'restrictPerson', since })).toHaveLength(2)
    expect(await found({ act: 'restrictPerson', until: since })).toEqual([])

    const [, first] = (await compliance.request(listAuditEntries, { ...ALL, accountId: 77 })).acts
    const one = await compliance.request(getAuditEntry, { id: first?.id ?? 0 })
    expect(one.changes).toEqual([{ field: 'status', before: 'active', after: 'frozen' }])
    expect(one.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await compliance.refusalOf(getAuditEntry, { id: 999_999 })).toBe('actUnknown')
  })

  test('are exported as CSV by roles that may, with an audit entry', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const support = await atDesk(server(), 'support')
    const csvFor = async (token: string) =>
      fetch(`${server().url}/desk/api/acts.csv?act=takeCase`, { headers: { authorization: token } })
    expect((await csvFor(support.token)).status).toBe(403)
    await support.try(takeCase, { caseKey: '=cmd', from: null })
    const answer = await csvFor(compliance.token)
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect((await answer.text()).split('\r\n')[0]).toContain('operator_name,role,second_id')
    const { acts } = await compliance.request(listAuditEntries, {
      ...ALL,
      act: 'exportActs',
      outcome: 'done',
    })
    expect(acts[0]).toMatchObject({ operator: compliance.name, subject: 'acts:all' })
    const refused = await compliance.request(listAuditEntries, {
      ...ALL,
      act: 'exportActs',
      outcome: 'refused',
    })
    expect(refused.acts[0]).toMatchObject({ operator: support.name, outcome: 'roleRefused' })
  })

  test('have their last hashes mailed once a day to the configured addresses, with how to verify them', async () => {
    const { deployment } = server()
    const { queries } = deployment.database
    const [auditor = '', owner = ''] = RECIPIENTS
    await expect.poll(() => sentTo(server(), owner), { timeout: 5_000 }).toHaveLength(1)
    const senders = { email: null, sms: null }
    const onError = (error: unknown) => {
      throw error
    }
    const outbox = createOutbox({ queries, senders, now: pace.wall, onError })
    const mail = startChainMail({
      queries,
      messageWriter: createMessageWriter(outbox),
      now: pace.wall,
      onError,
    })
    await mail.sendDue()
    expect(await sentTo(server(), auditor)).toHaveLength(1)
    pass(DAY_MS)
    await Promise.all([mail.sendDue(), mail.sendDue()])
    await mail.stop()
    await outbox.stop()
    const [latest, ...before] = await sentTo(server(), auditor)
    expect(before).toHaveLength(1)
    expect(latest?.subject).toMatch(/^Fairlot: hashes of \d{4}-\d{2}-\d{2}$/)
    const compliance = await atDesk(server(), 'compliance')
    const { journal, lastMailed } = await compliance.request(getChainHeads, null)
    expect(lastMailed?.recipients).toBe(RECIPIENTS.join(', '))
    expect(latest?.body).toContain(`npm run verify -- --hash ${lastMailed?.journalRow}:`)
    expect(journal.number).toBeGreaterThanOrEqual(lastMailed?.journalRow ?? 0)
    expect(
      (await compliance.request(listWaiting, { kind: null, held: null, search: null, before: null, page: 1 }))
        .all,
    ).toBe(0)
  })
})
