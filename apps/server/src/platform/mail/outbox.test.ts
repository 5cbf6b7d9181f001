import { expect, onTestFinished, test, vi } from 'vitest'
import { openMailServer as openRealMailServer } from '../../../../../testing/mail-server.ts'
import { openSmsGateway } from '../../../../../testing/sms-gateway.ts'
import type { Queries } from '../database/open.ts'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { createOutbox, type Message, type Senders } from './outbox.ts'
import { createMessageWriter } from '../../notices/message-writer.ts'
import { createSmsSender, createSmtpSender } from './senders.ts'

/** The first connection to a mail server can take long on a busy machine. */
const SOON = { timeout: 10_000 }

const MINUTE_MS = 60_000
const NO_SENDERS: Senders = { email: null, sms: null }
const MAIL: Message = {
  channel: 'email',
  recipient: 'reader@mail.example',
  subject: 'Hello',
  body: 'code 123456',
  usefulForMs: MINUTE_MS,
}

async function openMailServer(options?: Parameters<typeof openRealMailServer>[0]) {
  const server = await openRealMailServer(options)
  onTestFinished(server.close)
  return server
}

function openOutbox(queries: Queries, senders: Senders) {
  const failures: unknown[] = []
  const time = { now: Date.now() }
  const outbox = createOutbox({
    queries,
    senders,
    now: () => time.now,
    retryAfterMs: [1_000, 2_000],
    onError: (error) => failures.push(error),
  })
  onTestFinished(() => outbox.stop())
  const rows = () => queries.selectFrom('outbox').selectAll().execute()
  return { outbox, failures, time, rows }
}

const smtpSender = (url: string) => {
  const smtp = createSmtpSender(url, 'Desk <desk@fairlot.example>')
  onTestFinished(() => smtp.close())
  return smtp.send
}

onEveryDatabase('the outbox', (databases) => {
  test('sends a mail through a real mail server with a log-in, and deletes its text', async () => {
    const { mails, port } = await openMailServer()
    const { queries } = await databases.open()
    const email = smtpSender(`smtp://desk:p%40ss@127.0.0.1:${port}`)
    const { outbox, rows } = openOutbox(queries, { email, sms: null })
    await createMessageWriter(outbox).write(
      'registerCode',
      { channel: 'email', recipient: 'reader@mail.example', language: 'hk' },
      { code: '012345' },
    )
    outbox.wake()
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'sent', body: '' }]), SOON)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.to).toEqual(['reader@mail.example'])
    const mail = mails[0]?.mail
    expect(mail).toMatchObject({
      subject: '您的註冊驗證碼',
      from: { name: 'Desk', address: 'desk@fairlot.example' },
    })
    expect(mail?.text).toContain('012345')
    expect(mail?.text?.match(/\d{6}/g)).toEqual(['012345'])
    expect(mail?.html).toMatch(/^<div lang="zh-HK" dir="ltr">/)
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'content-language', value: 'zh-HK' }))
  })

  test('tells a mail program the direction of a mail, and gives it no markup', async () => {
    const { mails, port } = await openMailServer()
    const { queries } = await databases.open()
    const { outbox } = openOutbox(queries, { email: smtpSender(`smtp://127.0.0.1:${port}`), sms: null })
    await outbox.add({ ...MAIL, body: 'سعر <b>1</b> & 2\nثم', language: 'ar' })
    outbox.wake()
    await vi.waitFor(() => expect(mails).toHaveLength(1), SOON)
    expect(mails[0]?.mail.text?.trim()).toBe('سعر <b>1</b> & 2\nثم')
    expect(mails[0]?.mail.html?.trim()).toBe(
      '<div lang="ar" dir="rtl">سعر &lt;b>1&lt;/b> &amp; 2<br>\nثم</div>',
    )
  })

  test('retries while the server rejects a mail, and sends it once', async () => {
    const { mails, port } = await openMailServer({ refuses: 1 })
    const { queries } = await databases.open()
    const { outbox, rows, time, failures } = openOutbox(queries, {
      email: smtpSender(`smtp://127.0.0.1:${port}`),
      sms: null,
    })
    await outbox.add(MAIL)
    outbox.wake()
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'waiting', tries: 1n }]), SOON)
    expect(failures).toHaveLength(1)
    time.now += 1_000
    outbox.wake()
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ state: 'sent' }]), SOON)
    expect(mails).toHaveLength(1)
  })

  test('sends a mail later when the mail server was down, also after a restart', async () => {
    const { queries } = await databases.open()
    const { port, close } = await openMailServer()
    await close()
    const email = smtpSender(`smtp://127.0.0.1:${port}`)
    const before = openOutbox(queries, { email, sms: null })
    await before.outbox.add(MAIL)
    before.outbox.wake()
    await vi.waitFor(async () => expect(await before.rows()).toMatchObject([{ tries: 1n }]), SOON)
    await before.outbox.stop()
    const { mails } = await openMailServer({ port })
    const after = openOutbox(queries, { email, sms: null })
    after.time.now += 1_000
    after.outbox.wake()
    await vi.waitFor(() => expect(mails).toHaveLength(1), SOON)
  })
})

onEveryDatabase('an outbox that cannot send', (databases) => {
  test('gives up after the last retry, and on expired messages', async () => {
    const { queries } = await databases.open()
    const { port } = await openMailServer({ refuses: 99 })
    const { outbox, rows, time } = openOutbox(queries, {
      email: smtpSender(`smtp://127.0.0.1:${port}`),
      sms: null,
    })
    await outbox.add(MAIL)
    for (const tries of [1n, 2n, 3n]) {
      outbox.wake()
      await vi.waitFor(async () => expect(await rows()).toMatchObject([{ tries }]), SOON)
      time.now += 2_000
    }
    expect(await rows()).toMatchObject([{ state: 'failed', body: '' }])
    await outbox.add({ ...MAIL, usefulForMs: 0 })
    outbox.wake()
    await vi.waitFor(async () => {
      expect((await rows()).map(({ state, tries }) => [state, tries])).toContainEqual(['failed', 0n])
    })
  })

  test('keeps messages for operators without a mail server', async () => {
    const { queries } = await databases.open()
    const { outbox, rows } = openOutbox(queries, NO_SENDERS)
    await outbox.add(MAIL)
    outbox.wake()
    await vi.waitFor(
      async () => expect(await rows()).toMatchObject([{ state: 'kept', body: MAIL.body }]),
      SOON,
    )
  })

  test('a slow SMS gateway does not delay mails', async () => {
    const { queries } = await databases.open()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const mails: string[] = []
    const email = ({ body }: Pick<Message, 'body'>) => Promise.resolve(void mails.push(body))
    const { outbox } = openOutbox(queries, { email, sms: () => isReleased })
    onTestFinished(() => release())
    await outbox.add({ ...MAIL, channel: 'sms' })
    await outbox.add(MAIL)
    outbox.wake()
    await vi.waitFor(() => expect(mails).toEqual([MAIL.body]), SOON)
    release()
  })

  test('a message of a failed transaction is never sent', async () => {
    const { queries } = await databases.open()
    const { outbox, rows } = openOutbox(queries, NO_SENDERS)
    const failing = queries.transaction().execute(async (within) => {
      await outbox.add(MAIL, within)
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow('taken back')
    expect(await rows()).toEqual([])
  })
})

async function openGateway(status: number) {
  const gateway = await openSmsGateway(status)
  onTestFinished(gateway.close)
  return gateway
}

const SMS = { recipient: '+85291234567', subject: '', body: 'Your code is 012345 & more' }
const BASIC = `Basic ${Buffer.from('AC1:s3cret').toString('base64')}`

test('a text message is sent to Twilio by its API', async () => {
  const { calls, port } = await openGateway(201)
  await createSmsSender(`twilio://AC1:s3cret@127.0.0.1:${port}?from=%2B15550100`)(SMS)
  expect(calls).toMatchObject([{ path: '/2010-04-01/Accounts/AC1/Messages.json', authorization: BASIC }])
  expect(Object.fromEntries(new URLSearchParams(calls[0]?.body))).toEqual({
    To: '+85291234567',
    From: '+15550100',
    Body: SMS.body,
  })
})

test('a text message is sent to any other gateway as JSON', async () => {
  const { calls, port } = await openGateway(200)
  await createSmsSender(`http://AC1:s3cret@127.0.0.1:${port}/send?queue=1`)(SMS)
  expect(calls).toMatchObject([{ path: '/send?queue=1', authorization: BASIC, type: 'application/json' }])
  expect(JSON.parse(calls[0]?.body ?? '')).toEqual({ to: SMS.recipient, text: SMS.body })
})

test('the error of a gateway contains no secret', async () => {
  const { port } = await openGateway(401)
  const sending = createSmsSender(`http://AC1:s3cret@127.0.0.1:${port}/`)(SMS)
  await expect(sending).rejects.toThrow(/^the SMS gateway answered HTTP 401$/)
})
