import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchUsers } from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  application,
  codeSentTo,
  HONG_KONG,
  logInAs,
  movablePace,
  newEmail,
  newUser,
  PASSWORD,
  post,
  reasonOf,
  type TestUser,
} from '../testing/accounts.ts'
import { type BadCase, badCases, expectOutcome, type FieldRow } from '../testing/bad-forms.ts'
import { all, BAD, SPOILT, type Outcomes } from '../testing/bad-values.ts'
import { call, dataOf } from '../testing/calls.ts'
import { atDesk } from '../testing/desk.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { totpCode } from '../platform/security/second-factor.ts'
import { rendered } from '../platform/files/testing/pictures.ts'
import { MULTIPART, sendBody, upload } from '../platform/files/testing/sending.ts'

const NEXT = 'brisk heron 52 tide'
const EMAIL = 'ada@mail.example'
const PHONE = '91234567'
const WRONG = '000000'

/** The same refusal for each of them, also for the longest. */
const each = (outcome: string, changes: Partial<Outcomes> = {}): Outcomes =>
  all(outcome, { '10,000 characters': outcome, ...changes })

const EMAILS = each('emailInvalid')
const PHONES = each('phoneInvalid')
const AREAS = each('areaInvalid')
const DIFFERENT = each('passwordsDiffer')
const CODES = each('codeWrong')
const FACTORS = all('secondFactorWrong')
const MISSING = { empty: 'fieldMissing', 'only spaces': 'fieldMissing' } as const
/** Letters of two scripts and invisible marks make a password no worse. */
const NEW_PASSWORDS = all('taken', {
  empty: 'passwordTooShort',
  'only spaces': 'passwordTooShort',
  '10,000 characters': 'passwordTooLong',
  'digits of six scripts': 'passwordTooShort',
  'the value of another field': 'passwordCommon',
})

type Form = {
  readonly name: string
  readonly path: string
  /** Right but for the last thing that is checked, so that nothing changes. */
  readonly right: Readonly<Record<string, unknown>>
  /** What it is refused for. */
  readonly taken: string
  readonly fields: readonly FieldRow[]
  /** Fields that repeat another one. */
  readonly repeated?: Readonly<Record<string, string>>
}

const REGISTRATION = application(EMAIL, { sms_code: WRONG })
const RESET = {
  type: 'email',
  account: EMAIL,
  new_password: NEXT,
  secondary_password: NEXT,
  auth_code: WRONG,
}

/** The forms of visitors. */
const FORMS: readonly Form[] = [
  {
    name: 'a registration by e-mail',
    path: '/api/user/register',
    right: REGISTRATION,
    taken: 'codeWrong at sms_code',
    fields: [
      ['area_id', String(HONG_KONG), EMAIL, AREAS],
      ['account', EMAIL, PASSWORD, EMAILS],
      ['password', PASSWORD, EMAIL, NEW_PASSWORDS],
      ['re_password', PASSWORD, EMAIL, DIFFERENT],
      [
        'invite_code',
        '0123456789ABCDEF',
        EMAIL,
        each('inviteCodeUnknown', { empty: 'taken', 'only spaces': 'taken' }),
      ],
      ['consent', '1', EMAIL, each('consentMissing')],
      ['consent_version', '1999-01-01', EMAIL, each('consentOutdated', { empty: 'taken' })],
      ['sms_code', WRONG, EMAIL, CODES],
    ],
    repeated: { password: 're_password' },
  },
  {
    name: 'a registration by telephone',
    path: '/api/user/register',
    right: { ...REGISTRATION, type: 'mobile', account: PHONE },
    taken: 'codeWrong at sms_code',
    fields: [
      ['area_id', String(HONG_KONG), EMAIL, AREAS],
      ['account', PHONE, EMAIL, PHONES],
    ],
  },
  {
    name: 'a request of a code by e-mail',
    path: '/api/notify/send_email',
    right: { to: '', type: 1 },
    taken: 'emailInvalid at to',
    fields: [['to', EMAIL, PHONE, EMAILS]],
  },
  {
    name: 'a request of a code by telephone',
    path: '/api/notify/send_sms',
    right: { area_id: HONG_KONG, to: '', type: 1 },
    taken: 'phoneInvalid at to',
    fields: [
      ['area_id', String(HONG_KONG), PHONE, AREAS],
      ['to', PHONE, EMAIL, PHONES],
    ],
  },
  {
    name: 'a log-in by e-mail',
    path: '/api/user/loginForU',
    right: { login_type: 'email', account: EMAIL, password: 'a wrong one' },
    taken: 'credentialsWrong',
    fields: [
      ['account', EMAIL, PASSWORD, each('emailInvalid', MISSING)],
      ['password', 'a wrong one', EMAIL, each('taken', { empty: 'fieldMissing' })],
      ['demo_id', 'x', EMAIL, each('demoIdUnknown', { empty: 'taken' })],
    ],
  },
  {
    name: 'a log-in by telephone',
    path: '/api/user/loginForU',
    right: { login_type: 'mobile', area_id: HONG_KONG, account: PHONE, password: 'a wrong one' },
    taken: 'credentialsWrong',
    fields: [
      ['area_id', String(HONG_KONG), EMAIL, each('areaInvalid', { empty: 'taken' })],
      ['account', PHONE, EMAIL, each('phoneInvalid', MISSING)],
    ],
  },
  {
    name: 'a recovery by e-mail',
    path: '/api/user/forget_password',
    right: RESET,
    taken: 'codeWrong at auth_code',
    fields: [
      ['account', EMAIL, PHONE, EMAILS],
      ['new_password', NEXT, EMAIL, NEW_PASSWORDS],
      ['secondary_password', NEXT, EMAIL, DIFFERENT],
      ['auth_code', WRONG, EMAIL, CODES],
    ],
    repeated: { new_password: 'secondary_password' },
  },
  {
    name: 'a recovery by telephone',
    path: '/api/user/forget_password',
    right: { ...RESET, type: 'mobile', area_id: HONG_KONG, account: PHONE },
    taken: 'codeWrong at auth_code',
    fields: [
      ['area_id', String(HONG_KONG), EMAIL, each('areaInvalid', { empty: 'taken' })],
      ['account', PHONE, EMAIL, PHONES],
    ],
  },
]

/** The forms of a user without a second factor. */
const OWN_FORMS: readonly Form[] = [
  {
    name: 'a change of the password',
    path: '/api/user/amend_password',
    right: { old_password: 'a wrong one', new_password: NEXT },
    taken: 'passwordWrong at old_password',
    fields: [
      ['old_password', 'a wrong one', EMAIL, each('passwordWrong')],
      ['new_password', NEXT, EMAIL, { ...NEW_PASSWORDS, 'the value of another field': 'taken' }],
    ],
  },
  {
    name: 'the preparation of an authenticator app',
    path: '/api/user/second_factor/prepare',
    right: { password: 'a wrong one' },
    taken: 'passwordWrong at password',
    fields: [['password', 'a wrong one', EMAIL, each('passwordWrong')]],
  },
  {
    name: 'the first code of an authenticator app',
    path: '/api/user/second_factor/confirm',
    right: { auth_code: WRONG },
    taken: 'secondFactorWrong at auth_code',
    fields: [['auth_code', WRONG, EMAIL, FACTORS]],
  },
  {
    name: 'a request of the own data',
    path: '/api/user/data',
    right: { password: 'a wrong one' },
    taken: 'passwordWrong at password',
    fields: [['password', 'a wrong one', EMAIL, each('passwordWrong')]],
  },
  {
    name: 'an identity form',
    path: '/api/user_real/real_name',
    right: { name: 'Ada Heron', card_id: 'A123456(7)', front_pic: '/api/x', reverse_pic: '/api/y' },
    taken: 'identityPictureUnknown at front_pic',
    fields: [
      [
        'name',
        'Ada Heron',
        'A123456(7)',
        all('taken', {
          empty: 'identityFieldMissing',
          'only spaces': 'identityFieldMissing',
          NUL: 'nameInvalid',
          'a mark of direction': 'nameInvalid',
          'digits of six scripts': 'identityNameInvalid',
        }),
      ],
      [
        'card_id',
        'A123456(7)',
        EMAIL,
        all('taken', {
          empty: 'identityFieldMissing',
          'only spaces': 'identityFieldMissing',
          'the value of another field': 'identityNumberInvalid',
        }),
      ],
      [
        'front_pic',
        '/api/x',
        'Ada Heron',
        all('identityPictureUnknown', {
          empty: 'identityFieldMissing',
          'only spaces': 'identityFieldMissing',
        }),
      ],
    ],
  },
]

const casesOf = (forms: readonly Form[]) =>
  forms.flatMap((form) => badCases(form.fields).map((bad) => ({ ...bad, form, name: form.name })))

const filled = ({ right, repeated = {} }: Form, { field, value }: BadCase) => {
  const same = repeated[field]
  return { ...right, [field]: value, ...(same !== undefined && { [same]: value }) }
}

/** The zero of each: Arabic, Persian, Devanagari, Bengali, Thai, full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

/** A code as people paste it: none of these is a slip. */
const PASTED = {
  'a mark of direction': (code: string) => `\u202e${code}\u2069`,
  NUL: (code: string) => `\u0000${code.slice(0, 3)}\u0000${code.slice(3)}`,
  'spaces and a hyphen': (code: string) => ` ${code.slice(0, 3)}\u2011${code.slice(3)}\u3000`,
  'digits of six scripts': (code: string) =>
    code.replace(/\d/g, (digit, place: number) =>
      String.fromCodePoint((ZEROS[place % ZEROS.length] ?? 0) + Number(digit)),
    ),
} as const
const PASTES = Object.entries(PASTED)
const SLIPS = BAD.map((bad) => [bad, SPOILT[bad]('000000', EMAIL)] as const).filter(
  ([bad]) => !['NUL', 'a mark of direction', 'digits of six scripts'].includes(bad),
)

describe.each(DATABASES)('a field of a form, %s', (kind) => {
  const { pace, pass } = movablePace()
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-bad-input-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9', DATA_DIR: dataDir } })
  let registered: TestUser
  beforeAll(async () => {
    registered = await newUser(server())
  })

  test.each(casesOf(FORMS))('$name: $field with $bad: $outcome', async ({ form, ...bad }) => {
    const answer = await post(server(), form.path, filled(form, bad), undefined, { lang: bad.language })
    expectOutcome(answer, bad, form.taken)
  })

  test.each(casesOf(OWN_FORMS))('$name: $field with $bad: $outcome', async ({ form, ...bad }) => {
    const body = filled(form, bad)
    const answer = await post(server(), form.path, body, registered.token, { lang: bad.language })
    expectOutcome(answer, bad, form.taken)
  })

  test('leaves nobody behind, and everything as it was', async () => {
    const { queries } = server().deployment.database
    const { users } = await queries
      .selectFrom('member')
      .select(({ fn }) => fn.countAll<bigint>().as('users'))
      .executeTakeFirstOrThrow()
    expect(Number(users)).toBe(1)
    expect(await queries.selectFrom('identity_check').selectAll().execute()).toEqual([])
    expect(reasonOf(await logInAs(server(), registered.email))).toBeNull()
  })

  test.each(badCases([['query', EMAIL, PHONE, all('taken')]]))(
    'the search of users at the desk with $bad: $outcome',
    async (bad) => {
      const { token } = await atDesk(server(), 'support')
      const query = new URLSearchParams({ query: bad.value, page: '1' }).toString()
      const headers = { lang: bad.language, authorization: token }
      expectOutcome(await call(server(), `${searchUsers.path}?${query}`, { headers }), bad, null)
    },
  )

  test.each(PASTES)('finds a user whose address is pasted with %s', async (_what, paste) => {
    const support = await atDesk(server(), 'support')
    const { people } = await support.request(searchUsers, {
      query: paste(String(100_000 + registered.user.id)),
      page: 1,
    })
    expect(people.map(({ id }) => id)).toContain(registered.user.id)
  })

  test.each(PASTES)('registers and recovers by a code with %s', async (_what, paste) => {
    const email = newEmail()
    await post(server(), '/api/notify/send_email', { to: email, type: 1 })
    const sms_code = paste(await codeSentTo(server(), email))
    expect(reasonOf(await post(server(), '/api/user/register', application(email, { sms_code })))).toBeNull()
    pass(60_000)
    await post(server(), '/api/notify/send_email', { to: email, type: 2 })
    const reset = { ...RESET, account: email, auth_code: paste(await codeSentTo(server(), email)) }
    expect(reasonOf(await post(server(), '/api/user/forget_password', reset))).toBeNull()
  })

  test.each(PASTES)('sets a second factor up and logs in by a code with %s', async (_what, paste) => {
    const { email, token } = await newUser(server())
    const at = (path: string) => `/api/user/second_factor/${path}`
    const prepared = await post(server(), at('prepare'), { password: PASSWORD }, token)
    const { secret } = dataOf<{ secret: string }>(prepared)
    const code = () => paste(totpCode(secret, pace.wall()))
    const confirmed = await post(server(), at('confirm'), { auth_code: code() }, token)
    expect(reasonOf(confirmed)).toBeNull()
    pass(30_000)
    expect(reasonOf(await logInAs(server(), email, { auth_code: code() }))).toBeNull()
    const [recovery = ''] = dataOf<{ recovery_codes: string[] }>(confirmed).recovery_codes
    const written = `\u202e${recovery}\u0000`
    expect(reasonOf(await logInAs(server(), email, { auth_code: written }))).toBeNull()
    for (const bad of badCases([
      [
        'auth_code',
        WRONG,
        EMAIL,
        all('secondFactorWrong', { empty: 'secondFactorNeeded', 'only spaces': 'secondFactorNeeded' }),
      ],
    ])) {
      const login = { login_type: 'email', account: email, password: PASSWORD, auth_code: bad.value }
      expectOutcome(
        await post(server(), '/api/user/loginForU', login, undefined, { lang: bad.language }),
        bad,
        null,
      )
    }
  })

  test.each(PASTES)('reads an invitation code with %s', async (_what, paste) => {
    const invite_code = paste(registered.user.invite_code)
    const answer = await post(
      server(),
      '/api/user/register',
      application(newEmail(), { invite_code, sms_code: WRONG }),
    )
    expect(reasonOf(answer)).toBe('codeWrong')
  })

  test.each(BAD)('an upload is kept whatever stands beside the picture: %s', async (bad) => {
    const picture = await rendered(60, 30).png().toBuffer()
    const boundary = MULTIPART.split('=')[1] ?? ''
    const value = SPOILT[bad]('Passport', EMAIL)
    const part = (name: string, text: string) =>
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)
    const file = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${value.slice(0, 200)}"\r\nContent-Type: image/png\r\n\r\n`,
      ),
      picture,
      Buffer.from('\r\n'),
    ])
    const body = Buffer.concat([
      part('type', value),
      file,
      part('remark', value),
      Buffer.from(`--${boundary}--\r\n`),
    ])
    expect(reasonOf(await sendBody(server(), registered.token, body))).toBeNull()
  })

  test('the second side of a document is named too', async () => {
    const front_pic = await upload(server(), registered.token, await rendered(60, 30).png().toBuffer())
    const form = { name: 'Ada Heron', card_id: 'A123456(7)', front_pic }
    for (const bad of badCases([
      [
        'reverse_pic',
        '/api/y',
        'Ada Heron',
        all('identityPictureUnknown', {
          empty: 'identityFieldMissing',
          'only spaces': 'identityFieldMissing',
        }),
      ],
    ])) {
      const body = { ...form, reverse_pic: bad.value }
      const answer = await post(server(), '/api/user_real/real_name', body, registered.token, {
        lang: bad.language,
      })
      expectOutcome(answer, bad, null)
    }
  })
})

describe.each(DATABASES)('a code that is a slip, %s', (kind) => {
  const env = {
    FEED: 'ws://127.0.0.1:9',
    SETTING_FAILED_LOGINS_PER_ADDRESS: '3',
    SETTING_FAILED_LOGINS_PER_ACCOUNT: '2',
  }
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env })

  test('is no guess at a registration', async () => {
    const email = newEmail()
    await post(server(), '/api/notify/send_email', { to: email, type: 1 })
    const register = (sms_code: string) =>
      post(server(), '/api/user/register', application(email, { sms_code }))
    for (const [, slip] of SLIPS) expect(reasonOf(await register(slip))).toBe('codeWrong')
    expect(reasonOf(await register(await codeSentTo(server(), email)))).toBeNull()
  })

  test('is no guess at a recovery', async () => {
    const { email } = await newUser(server())
    pass(60_000)
    await post(server(), '/api/notify/send_email', { to: email, type: 2 })
    const recover = (auth_code: string) =>
      post(server(), '/api/user/forget_password', { ...RESET, account: email, auth_code })
    for (const [, slip] of SLIPS) expect(reasonOf(await recover(slip))).toBe('codeWrong')
    expect(reasonOf(await recover(await codeSentTo(server(), email)))).toBeNull()
  })

  test('is no guess of a second factor, and none in the list of log-ins', async () => {
    const { email, token, user } = await newUser(server())
    const prepared = await post(server(), '/api/user/second_factor/prepare', { password: PASSWORD }, token)
    const { secret } = dataOf<{ secret: string }>(prepared)
    const confirm = (auth_code: string) =>
      post(server(), '/api/user/second_factor/confirm', { auth_code }, token)
    for (const [, slip] of SLIPS) expect((await confirm(slip)).body?.code).toBe(0)
    expect(reasonOf(await confirm(totpCode(secret, pace.wall())))).toBeNull()
    pass(30_000)
    for (const [, slip] of SLIPS)
      expect((await logInAs(server(), email, { auth_code: slip })).body?.code).toBe(0)
    expect(reasonOf(await logInAs(server(), email, { auth_code: totpCode(secret, pace.wall()) }))).toBeNull()
    const { queries } = server().deployment.database
    const done = await queries
      .selectFrom('user_activity')
      .select('kind')
      .where('user_id', '=', BigInt(user.id))
      .execute()
    expect(done.map((row) => row.kind)).not.toContain('logInCodeWrong')
  })
})

describe.each(DATABASES)('the answer to a captcha, %s', (kind) => {
  const env = { SETTING_REGISTRATION_CHECK: 'captcha', SETTING_FAILED_LOGINS_PER_ADDRESS: '30' }
  const server = serverOn(kind, { env })

  test.each(
    badCases([
      ['sms_code', '00000', EMAIL, each('captchaWrong')],
      ['sms_code', `altcha 7 ${'0'.repeat(64)}`, EMAIL, each('captchaWrong')],
      ['key', 'x', EMAIL, each('captchaWrong at sms_code')],
    ]),
  )('$field with $bad: $outcome', async (bad) => {
    const { id } = dataOf<{ id: string }>(await call(server(), '/api/notify/captcha'))
    const body = application(newEmail(), { key: id, sms_code: '00000', [bad.field]: bad.value })
    // One in a hundred thousand pictures shows these digits.
    const answer = await post(server(), '/api/user/register', body, undefined, { lang: bad.language })
    expectOutcome(answer, bad, null)
  })

  test('is no guess if it can be none', async () => {
    for (let round = 0; round < 10; round += 1)
      for (const [, slip] of SLIPS) {
        const answer = await post(
          server(),
          '/api/user/register',
          application(newEmail(), { key: 'x', sms_code: slip }),
        )
        expect(reasonOf(answer)).toBe('captchaWrong')
      }
  })
})
