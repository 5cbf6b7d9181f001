import type { Transporter } from 'nodemailer'
import type { Sender } from './outbox.ts'

/** A mail server that says nothing for so long has failed, ms. */
const WAIT_MS = 10_000

/** Sends plain-text mails to an SMTP server: `smtp://` (STARTTLS where offered) or `smtps://`, with user and password in it. */
export function createSmtpSender(url: string, from: string): { readonly send: Sender; close(): void } {
  let transport: Transporter | null = null
  // The mailer is loaded with the first mail: most servers rest without one.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return (transport ??= createTransport({
      ...{ url, connectionTimeout: WAIT_MS, greetingTimeout: WAIT_MS, socketTimeout: WAIT_MS },
      // A mail holds our own words only; nothing in it may make the mailer read a file or another address.
      ...{ disableFileAccess: true, disableUrlAccess: true },
    }))
  }
  return {
    send: async ({ recipient, subject, body }) => {
      const mailer = await open()
      await mailer.sendMail({
        ...{ from, subject, text: body },
        to: { name: '', address: recipient },
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close: () => transport?.close(),
  }
}
