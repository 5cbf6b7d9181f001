import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real mail server on its own port that keeps what it receives. */
export type MailServer = {
  readonly port: number
  /** In the order received. */
  readonly mails: readonly { readonly to: readonly string[]; readonly mail: Email }[]
  close(): Promise<void>
}

type MailServerOptions = {
  /** Number of mails rejected first. */
  readonly refuses?: number
  /** 0 for any free port. */
  readonly port?: number
}

/** Accepts the user `desk` with the password `p@ss`; authentication is optional. */
export async function openMailServer({ refuses = 0, port = 0 }: MailServerOptions = {}): Promise<MailServer> {
  const mails: { to: string[]; mail: Email }[] = []
  let left = refuses
  const read = async (stream: Readable, to: string[]): Promise<void> => {
    const bytes = await buffer(stream)
    if (left-- > 0) throw new Error('come back later')
    mails.push({ to, mail: await PostalMime.parse(bytes) })
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'desk' && password === 'p@ss' ? done(null, { user: 'desk' }) : done(new Error('who?')),
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      callbackify(() => read(stream, to))((error) => done(error))
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { mails, close, port: (server.server.address() as AddressInfo).port }
}
