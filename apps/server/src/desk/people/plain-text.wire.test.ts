import { listActivity, valueOf } from '@fairlot/contract'
import {
  addPersonNote,
  listActs,
  listPersonNotes,
  saveWireAccount,
  setPersonStatus,
  getWaitingCase,
} from '@fairlot/contract/desk'
import { expect, test, describe } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newMember } from '../../testing/accounts.ts'
import { atDesk } from '../../testing/desk.ts'
import { IBAN } from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

/** Reads `paid 001` where the marks are heeded, and is `100 diap` otherwise. */
const TURNED = '\u202e100 diap\u202c\u200b, see\u2066 the\u2069\ufeff file\u0007'
const PLAIN = '100 diap, see the file'
const UNSEEN = '\u202e\u200b\u2060'

describe.each(DATABASES)('what operators type, %s', (kind) => {
  const server = serverOn(kind)

  test('is kept without marks that turn it around, wherever it is read again', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const { user, token } = await newMember(server())
    const id = user.id
    await compliance.ask(setPersonStatus, { id, before: 'active', status: 'closeOnly', reason: TURNED })
    await compliance.ask(addPersonNote, { id, text: `${TURNED}\r\nsecond line` })
    await server().deployment.engine.caughtUp()
    const { activities } = valueOf(await clientOf(server().url, token).call(listActivity, { page: 1 }))
    expect(activities.flatMap(({ reason }) => reason ?? [])).toContain(PLAIN)
    const { notes } = await compliance.ask(listPersonNotes, { id, page: 1 })
    expect(notes.map(({ text }) => text)).toEqual([`${PLAIN}\nsecond line`])
    const { acts } = await compliance.ask(listActs, {
      ...{ operatorId: compliance.id, act: 'restrictPerson', subject: null, accountId: id, outcome: null },
      ...{ since: null, until: null, search: null, page: 1 },
    })
    expect(acts.map(({ reason }) => reason)).toEqual([PLAIN])
  })

  test('is refused as blank where nothing of it would be seen', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const { user } = await newMember(server())
    const { id } = user
    const asked = { id, before: 'active', status: 'frozen', reason: UNSEEN } as const
    expect(await compliance.refusalOf(setPersonStatus, asked)).toBe('reasonMissing')
    expect(await compliance.refusalOf(addPersonNote, { id, text: UNSEEN })).toBe('noteBlank')
  })

  test('is what a second person and whoever pays in read of an account', async () => {
    const finance = await atDesk(server(), 'finance')
    const { approvalId } = await finance.ask(saveWireAccount, {
      ...{ id: null, version: 0, currencyCode: 'EUR', bankName: TURNED, bankAddress: '2 Quay' },
      ...{ bankSwift: 'QUAYDEFF', payeeName: 'House', payeeAccount: `\u200b${IBAN}`, bankRemark: UNSEEN },
      ...{ dayLimit: null, personDayLimit: null, reason: 'a new bank' },
    })
    const { changes } = await finance.ask(getWaitingCase, { caseKey: `approval:${approvalId}` })
    const after = new Map(changes.map((change) => [change.field, change.after]))
    expect([after.get('bankName'), after.get('payeeAccount'), after.get('bankRemark')]).toEqual([
      ...[PLAIN, IBAN],
      '',
    ])
  })
})
