import { randomBytes } from 'node:crypto'
import { realPace, type Pace } from '../market/feeds/clock.ts'
import { call, dataOf, type RawAnswer } from './calls.ts'
import type { RunningServer } from './running-server.ts'

/** A password that every rule accepts. */
export const PASSWORD = 'quiet otter 71 maps'

/** The wire's id of Hong Kong, whose phone numbers the tests use. */
export const HONG_KONG = 193

type Sent = {
  readonly channel: string
  readonly recipient: string
  readonly subject: string
  readonly body: string
}

/** The messages to a recipient in the outbox, the latest first. */
export async function sentTo(
  { deployment }: Pick<RunningServer, 'deployment'>,
  recipient: string,
): Promise<Sent[]> {
  return deployment.database.queries
    .selectFrom('outbox')
    .select(['channel', 'recipient', 'subject', 'body'])
    .where('recipient', '=', recipient)
    .orderBy('created_at', 'desc')
    .execute()
}

/** The code of six digits in the latest message to a recipient. */
export async function codeSentTo(
  server: Pick<RunningServer, 'deployment'>,
  recipient: string,
): Promise<string> {
  const [latest] = await sentTo(server, recipient)
  const [code, ...others] = latest?.body.match(/(?<!\d)\d{6}(?!\d)/g) ?? []
  if (code === undefined || others.length > 0) throw new Error(`no single code was sent to ${recipient}`)
  return code
}

/** Posts a body and returns the answer in English, success or not. */
export const post = (
  server: Pick<RunningServer, 'url'>,
  path: string,
  body: object,
  token?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> =>
  call(server, path, {
    headers: { lang: 'en', ...(token !== undefined && { authorization: token }), ...headers },
    body,
  })

/** Posts a form, as old clients do. */
export const postForm = (
  server: Pick<RunningServer, 'url'>,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<RawAnswer> =>
  call(server, path, {
    headers: { lang: 'en', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

/** The reason of a refusal; null for a success. */
export const reasonOf = ({ body }: RawAnswer): string | null =>
  body?.code === 1 ? null : (dataOf<{ reason: string } | null>({ body })?.reason ?? `code ${body?.code}`)

export const newEmail = (): string => `p${randomBytes(6).toString('hex')}@mail.example`

/** The form of a registration by e-mail, without the code. */
export const application = (email: string, given: object = {}): Record<string, unknown> => ({
  type: 'email',
  area_id: HONG_KONG,
  account: email,
  password: PASSWORD,
  re_password: PASSWORD,
  sms_code: '',
  invite_code: '',
  consent: 1,
  ...given,
})

/** A user with a real account. */
export type TestUser = {
  readonly email: string
  readonly token: string
  readonly user: { readonly id: number; readonly invite_code: string }
}

/** Registers a user by e-mail, as the web app does. */
export async function newUser(server: RunningServer, given: object = {}): Promise<TestUser> {
  const email = newEmail()
  await post(server, '/api/notify/send_email', { to: email, type: 1 })
  const code = await codeSentTo(server, email)
  const answer = await post(server, '/api/user/register', application(email, { sms_code: code, ...given }))
  if (answer.body?.code !== 1) throw new Error(`not registered: ${answer.text}`)
  return { email, ...dataOf<Pick<TestUser, 'token' | 'user'>>(answer) }
}

/** Logs in; `given` overrides fields, such as the password. */
export const logInAs = (server: Pick<RunningServer, 'url'>, account: string, given: object = {}) =>
  post(server, '/api/user/loginForU', { login_type: 'email', account, password: PASSWORD, ...given })

/** Real time that a test can advance (`pass`), and a machine's clock that it can shift (`step`). */
export function movablePace(): { readonly pace: Pace; pass(ms: number): void; step(ms: number): void } {
  let [ahead, shift] = [0, 0]
  const now = () => realPace.now() + ahead
  return {
    pace: { now, wall: () => now() + shift, wait: realPace.wait },
    pass: (ms) => {
      ahead += ms
    },
    step: (ms) => {
      shift += ms
    },
  }
}
