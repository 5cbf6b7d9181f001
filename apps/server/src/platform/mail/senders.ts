import { directionOf, type LanguageCode, tagOf } from '@fairlot/contract'
import type { Transporter } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { createOutbox, type Outbox, type OutboxOptions, type Sender } from './outbox.ts'

/** The timeout for a mail server, ms. */
const SMTP_TIMEOUT_MS = 10_000

/** Sends mails to an SMTP server: `smtp://` (STARTTLS if offered) or `smtps://`, with user and password in the URL. */
export function createSmtpSender(url: string, from: string): { readonly send: Sender; close(): void } {
  let transport: Transporter | null = null
  // Loaded with the first mail, because many servers never send one.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return (transport ??= createTransport({
      url,
      connectionTimeout: SMTP_TIMEOUT_MS,
      greetingTimeout: SMTP_TIMEOUT_MS,
      socketTimeout: SMTP_TIMEOUT_MS,
      // Our mails contain no files, so the mailer never needs to read a file or a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    }))
  }
  return {
    send: async ({ recipient, subject, body, language = '' }) => {
      const mailer = await open()
      await mailer.sendMail({
        from,
        subject,
        text: body,
        to: { name: '', address: recipient },
        ...(language !== '' && { html: htmlOf(body, language as LanguageCode) }),
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(language !== '' && { 'Content-Language': tagOf(language as LanguageCode) }),
        },
      })
    },
    close: () => transport?.close(),
  }
}

/** The text of a mail once more as HTML, because plain text cannot say its language, nor in which direction it runs. */
function htmlOf(text: string, language: LanguageCode): string {
  const lines = text.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').split('\n')
  return `<div lang="${tagOf(language)}" dir="${directionOf(language)}">${lines.join('<br>\n')}</div>`
}

/** The timeout for an SMS gateway, ms. */
const GATEWAY_TIMEOUT_MS = 10_000

const GATEWAY_API = '2010-04-01'

/** The HTTP request that sends a text message. */
type Request = (to: string, text: string) => { readonly url: string; readonly init: RequestInit }

/**
 * Sends text messages: to `twilio://SID:TOKEN@host?from=+15550100` by Twilio's API over TLS; to any other
 * `https://user:password@host/path` as a POST of JSON `{ "to": "+85291234567", "text": "..." }`.
 */
export function createSmsSender(address: string): Sender {
  const request = address.startsWith('twilio:') ? messagesApi(new URL(address)) : anyGateway(new URL(address))
  return async ({ recipient, body }) => {
    const { url, init } = request(recipient, body)
    const signal = AbortSignal.timeout(GATEWAY_TIMEOUT_MS)
    const answer = await fetch(url, { ...init, method: 'POST', redirect: 'error', signal })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`the SMS gateway answered HTTP ${answer.status}`)
  }
}

/** Plain HTTP is allowed for 127.0.0.1 only, for tests. */
function messagesApi(address: URL): Request {
  const isLocal = address.hostname === '127.0.0.1'
  const user = decodeURIComponent(address.username)
  const from = address.searchParams.get('from') ?? ''
  const url = `${isLocal ? 'http' : 'https'}://${address.host}/${GATEWAY_API}/Accounts/${user}/Messages.json`
  return (to, text) => ({
    url,
    init: {
      headers: authorizationOf(address),
      body: new URLSearchParams({ To: to, From: from, Body: text }),
    },
  })
}

function anyGateway(address: URL): Request {
  const plain = new URL(address)
  plain.username = ''
  plain.password = ''
  const headers = { ...authorizationOf(address), 'content-type': 'application/json' }
  return (to, text) => ({ url: plain.href, init: { headers, body: JSON.stringify({ to, text }) } })
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

type OpenOutboxOptions = Pick<OutboxOptions, 'queries' | 'now' | 'onError' | 'onUndelivered'> & {
  readonly push: Sender
  readonly config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'smsUrl'>
}

/** The outbox with the configured mail server and SMS gateway, and the sender of pushes. */
export function openOutbox({ config, push, ...options }: OpenOutboxOptions): {
  readonly outbox: Outbox
  stop(): Promise<void>
} {
  const smtp = config.smtpUrl === null ? null : createSmtpSender(config.smtpUrl, config.mailFrom)
  const sms = config.smsUrl === null ? null : createSmsSender(config.smsUrl)
  const outbox = createOutbox({ ...options, senders: { email: smtp?.send ?? null, sms, push } })
  const stop = async () => {
    await outbox.stop()
    smtp?.close()
  }
  return { outbox, stop }
}
