import {
  changeDeskPassword,
  changeSetting,
  confirmDeskFactor,
  inviteOperator,
  joinDesk,
  listSettings,
  logInToDesk,
  prepareDeskFactor,
  renewDeskFactor,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { totpCode } from '../../platform/security/second-factor.ts'
import { post } from '../../testing/accounts.ts'
import { badCases, expectOutcome, type FieldRow } from '../../testing/bad-forms.ts'
import { all } from '../../testing/bad-values.ts'
import { atDesk, type AtDesk, callsAs, DESK_PASSWORD } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const NEXT = 'another brass weight'
const WRONG = '000000'
const NAME = 'Grace Heron'

const each = (outcome: string) => all(outcome, { '10,000 characters': outcome })

type Form = {
  readonly name: string
  readonly path: string
  readonly role: 'nobody' | 'administrator' | 'support'
  /** Right but for the last thing that is checked, so that nothing changes. */
  readonly right: object
  readonly taken: string
  readonly fields: readonly FieldRow[]
}

const LOG_IN = { name: 'admin', password: 'a wrong one', code: '' }
const FACTORS = all('secondFactorWrong', {
  empty: 'secondFactorNeeded',
  'only spaces': 'secondFactorNeeded',
})
const SETTING = { name: 'company_name', value: 'Heron', was: 'outdated', reason: 'renamed' }

const FORMS: readonly Form[] = [
  {
    name: 'a log-in',
    path: logInToDesk.path,
    role: 'nobody',
    right: LOG_IN,
    taken: 'credentialsWrong',
    fields: [
      [
        'name',
        'admin',
        DESK_PASSWORD,
        all('taken', {
          empty: 'fieldMissing',
          'only spaces': 'fieldMissing',
          NUL: 'nameInvalid',
          'a mark of direction': 'nameInvalid',
        }),
      ],
      [
        'password',
        'a wrong one',
        'admin',
        {
          ...each('taken'),
          empty: 'fieldMissing',
          'only spaces': 'fieldMissing',
          NUL: 'textUnstorable',
        },
      ],
      [
        'code',
        WRONG,
        'admin',
        all('taken', {
          'both scripts mixed': 'secondFactorWrong',
          'the value of another field': 'secondFactorWrong',
        }),
      ],
    ],
  },
  {
    name: 'a joining',
    path: joinDesk.path,
    role: 'nobody',
    right: { invitation: 'unknown', confirmation: 'k7m2p', password: NEXT },
    taken: 'invitationInvalid at invitation',
    fields: [
      ['invitation', 'unknown', NEXT, each('invitationInvalid')],
      ['confirmation', 'k7m2p', NEXT, each('taken')],
      ['password', NEXT, 'unknown', { ...each('taken'), NUL: 'textUnstorable' }],
    ],
  },
  {
    name: 'a change of the own password',
    path: changeDeskPassword.path,
    role: 'support',
    right: { oldPassword: 'a wrong one', password: NEXT, code: WRONG },
    taken: 'passwordWrong at oldPassword',
    fields: [['oldPassword', 'a wrong one', WRONG, { ...each('passwordWrong'), NUL: 'textUnstorable' }]],
  },
  {
    name: 'a change of the own password by the right one',
    path: changeDeskPassword.path,
    role: 'support',
    right: { oldPassword: DESK_PASSWORD, password: NEXT, code: WRONG },
    taken: 'secondFactorWrong at code',
    fields: [
      [
        'password',
        NEXT,
        WRONG,
        all('taken', {
          empty: 'passwordTooShort',
          'only spaces': 'passwordTooShort',
          '10,000 characters': 'passwordTooLong',
          NUL: 'textUnstorable',
          'digits of six scripts': 'passwordTooShort',
          'the value of another field': 'passwordTooShort',
        }),
      ],
      ['code', WRONG, NEXT, FACTORS],
    ],
  },
  {
    name: 'a fresh second factor',
    path: renewDeskFactor.path,
    role: 'support',
    right: { code: WRONG },
    taken: 'secondFactorWrong at code',
    fields: [['code', WRONG, NEXT, FACTORS]],
  },
  {
    name: 'an invitation',
    path: inviteOperator.path,
    role: 'administrator',
    right: { name: NAME, role: 'support', reason: '' },
    taken: 'reasonMissing at reason',
    fields: [
      [
        'name',
        NAME,
        'Needed, since May',
        all('operatorNameInvalid', {
          'both scripts mixed': 'taken',
          NUL: 'nameInvalid',
          'a mark of direction': 'nameInvalid',
        }),
      ],
    ],
  },
  {
    name: 'a setting',
    path: changeSetting.path,
    role: 'administrator',
    right: SETTING,
    taken: 'formOutdated',
    fields: [
      ['name', 'company_name', 'Heron', { ...each('unknownSetting'), NUL: 'textUnstorable' }],
      [
        'value',
        'Heron',
        'renamed',
        all('taken', { empty: 'settingInvalid', 'only spaces': 'settingInvalid' }),
      ],
    ],
  },
  {
    name: 'a setting that is a number',
    path: changeSetting.path,
    role: 'administrator',
    right: { ...SETTING, name: 'ranked_after_days', value: '30' },
    taken: 'formOutdated',
    fields: [
      ['value', '30', 'Heron', all('settingInvalid', { NUL: 'taken', 'a mark of direction': 'taken' })],
    ],
  },
  {
    name: 'a setting that is an address',
    path: changeSetting.path,
    role: 'administrator',
    right: { ...SETTING, name: 'support_email', value: 'care@broker.example' },
    taken: 'formOutdated',
    fields: [
      [
        'value',
        'care@broker.example',
        'Heron',
        all('settingInvalid', {
          empty: 'taken',
          'only spaces': 'taken',
          'both scripts mixed': 'taken',
          NUL: 'taken',
          'a mark of direction': 'taken',
        }),
      ],
    ],
  },
]

const CASES = FORMS.flatMap((form) => badCases(form.fields).map((bad) => ({ ...bad, form, name: form.name })))

describe.each(DATABASES)('a field at the desk, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9', DESK_PASSWORD } })
  const operators = new Map<Form['role'], AtDesk>()
  beforeAll(async () => {
    for (const role of ['administrator', 'support'] as const)
      operators.set(role, await atDesk(server(), role))
  })

  test.each(CASES)('$name: $field with $bad: $outcome', async ({ form, ...bad }) => {
    const body = { ...form.right, [bad.field]: bad.value }
    const token = operators.get(form.role)?.token
    expectOutcome(await post(server(), form.path, body, token, { lang: bad.language }), bad, form.taken)
  })

  test('changes nothing by any of them', async () => {
    const { queries } = server().deployment.database
    const names = await queries.selectFrom('operator').select('name').execute()
    expect(names).toHaveLength(1 + operators.size)
    const { settings } = (await operators.get('support')?.request(listSettings, { search: '' })) ?? {
      settings: [],
    }
    expect(settings.filter(({ source }) => source === 'stored').map(({ name }) => name)).toEqual([])
  })

  test('reads the code that switches the second factor on, however it is pasted', async () => {
    const anyone = callsAs(server().url, null)
    const credentials = { name: 'admin', password: DESK_PASSWORD }
    const { token } = await anyone.request(logInToDesk, { ...credentials, code: null })
    const admin = callsAs(server().url, token)
    const { secret } = await admin.request(prepareDeskFactor, null)
    for (const bad of badCases([['code', WRONG, NEXT, all('secondFactorWrong')]]))
      expectOutcome(
        await post(server(), confirmDeskFactor.path, { code: bad.value }, token, { lang: bad.language }),
        bad,
        null,
      )
    const shown = totpCode(secret, server().deployment.wallClock())
    const thai = shown.replace(/\d/g, (digit) => String.fromCodePoint(0xe50 + Number(digit)))
    const { recoveryCodes } = await admin.request(confirmDeskFactor, { code: `\u202e${thai}\u0000` })
    const [recovery = ''] = recoveryCodes
    expect(
      await anyone.refusalOf(logInToDesk, { ...credentials, code: `\u2067${recovery}\u0000` }),
    ).toBeNull()
  })
})
