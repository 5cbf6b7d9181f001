import { listActivity, valueOf } from '@fairlot/contract'
import {
  addUserNote,
  listAuditEntries,
  listUserNotes,
  saveWireAccount,
  setUserStatus,
  getWaitingCase,
} from '@fairlot/contract/desk'
import { expect, test, describe } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newUser } from '../../testing/accounts.ts'
import { atDesk } from '../../testing/desk.ts'
import { IBAN } from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

/** Shown as `paid 001` if the direction marks are applied, else as `100 diap`. */
const REVERSED = '\u202e100 diap\u202c\u200b, see\u2066 the\u2069\ufeff file\u0007'
const PLAIN = '100 diap, see the file'
const INVISIBLE = '\u202e\u200b\u2060'

describe.each(DATABASES)('text from operators, %s', (kind) => {
  const server = serverOn(kind)

  test('is stored without direction marks and invisible characters', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const { user, token } = await newUser(server())
    const id = user.id
    await compliance.request(setUserStatus, { id, before: 'active', status: 'closeOnly', reason: REVERSED })
    await compliance.request(addUserNote, { id, text: `${REVERSED}\r\nsecond line` })
    await server().deployment.engine.caughtUp()
    const { activities } = valueOf(await clientOf(server().url, token).call(listActivity, { page: 1 }))
    expect(activities.flatMap(({ reason }) => reason ?? [])).toContain(PLAIN)
    const { notes } = await compliance.request(listUserNotes, { id, page: 1 })
    expect(notes.map(({ text }) => text)).toEqual([`${PLAIN}\nsecond line`])
    const { acts } = await compliance.request(listAuditEntries, {
      operatorId: compliance.id,
      act: 'restrictPerson',
      subject: null,
      accountId: id,
      outcome: null,
      since: null,
      until: null,
      search: null,
      page: 1,
    })
    expect(acts.map(({ reason }) => reason)).toEqual([PLAIN])
  })

  test('is refused as blank if all of it is invisible', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const { user } = await newUser(server())
    const { id } = user
    const change = { id, before: 'active', status: 'frozen', reason: INVISIBLE } as const
    expect(await compliance.refusalOf(setUserStatus, change)).toBe('reasonMissing')
    expect(await compliance.refusalOf(addUserNote, { id, text: INVISIBLE })).toBe('noteBlank')
  })

  test('is cleaned in payment accounts before a second operator and users read it', async () => {
    const finance = await atDesk(server(), 'finance')
    const { approvalId } = await finance.request(saveWireAccount, {
      id: null,
      version: 0,
      currencyCode: 'EUR',
      bankName: 'Quay\u00a0 Bank\u200b',
      bankAddress: REVERSED,
      bankSwift: 'QUAYDEFF',
      payeeName: 'House',
      payeeAccount: `\u200b${IBAN}`,
      bankRemark: INVISIBLE,
      dayLimit: null,
      fixedRate: null,
      personDayLimit: null,
      reason: 'a new bank',
    })
    const { changes } = await finance.request(getWaitingCase, { caseKey: `approval:${approvalId}` })
    const after = new Map(changes.map((change) => [change.field, change.after]))
    const fields = ['bankName', 'bankAddress', 'payeeAccount', 'bankRemark']
    expect(fields.map((field) => after.get(field))).toEqual(['Quay Bank', PLAIN, IBAN, ''])
  })
})
