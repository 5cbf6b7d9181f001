import {
  getBasicInfo,
  getSetting,
  getSupportEmail,
  listCountries,
  listTermsChanges,
  valueOf,
} from '@fairlot/contract'
import {
  changeSetting,
  confirmDeskFactor,
  decideApproval,
  getAuditEntry,
  listAuditEntries,
  listSettingChanges,
  listSettings,
  logInToDesk,
  prepareDeskFactor,
  SETTINGS_OF_TWO,
} from '@fairlot/contract/desk'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../testing/client.ts'
import { totpCode } from '../platform/security/second-factor.ts'
import { atDesk, callsAs, DESK_PASSWORD, type AtDesk } from '../testing/desk.ts'
import { DATABASES, makePlace, serverOn, startServer } from '../testing/running-server.ts'
import { differenceWith } from '../verify/test-kit.ts'
import { verify } from '../verify/verify.ts'

const EVERYTHING = {
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

const SETTINGS_NEEDING_TWO = [
  ['unverified_may_withdraw', '1'],
  ['payout_wait_hours', '0'],
  ['journal_hash_recipients', 'friend@broker.example'],
  ['card_payment_link', 'https://pay.example'],
  ['closing_left_max', '50'],
] as const

describe.each(DATABASES)('settings, %s', (kind) => {
  const env = { FEED: 'ws://127.0.0.1:9', SETTING_CREDIT_SCORE: '90' }
  const server = serverOn(kind, { env })
  let administrator: AtDesk
  beforeAll(async () => {
    administrator = await atDesk(server(), 'administrator')
  })
  const settingCalled = async (name: string) =>
    (await administrator.request(listSettings, { search: '' })).settings.find(
      (setting) => setting.name === name,
    )
  const change = async (name: string, value: string | null) =>
    administrator.try(changeSetting, {
      name,
      value,
      was: (await settingCalled(name))?.value ?? '',
      reason: 'a new policy',
    })
  const visitor = () => clientOf(server().url)

  test('are listed with their value, default and source', async () => {
    expect(await settingCalled('credit_score')).toMatchObject({
      value: '90',
      defaultValue: '100',
      source: 'fixed',
    })
    expect(await settingCalled('registration_check')).toMatchObject({
      value: 'code',
      source: 'default',
      form: 'choice',
      choices: ['code', 'captcha'],
    })
    expect(await settingCalled('blocked_areas')).toMatchObject({ value: 'KP,IL,CN,VU,CU', form: 'list' })
    expect((await settingCalled('freshness_ms'))?.name).toBeUndefined()
  })

  test('change at once, can be reset to their default, and have a history', async () => {
    expect(await change('registration_mode', 'mobile')).toMatchObject({
      value: { value: 'mobile', source: 'stored' },
    })
    expect(await visitor().call(getSetting, { key: 'registrationMode' })).toMatchObject({
      value: { registrationMode: 'mobile' },
    })
    expect(await change('registration_mode', null)).toMatchObject({ value: { source: 'default' } })
    expect(await visitor().call(getSetting, { key: 'registrationMode' })).toMatchObject({
      value: { registrationMode: 'emailOrMobile' },
    })
    const past = await administrator.request(listSettingChanges, { name: 'registration_mode', page: 1 })
    expect(past.changes.map(({ before, after, by }) => [before, after, by])).toEqual([
      ['mobile', 'emailOrMobile', administrator.name],
      ['emailOrMobile', 'mobile', administrator.name],
    ])
  })

  test('take effect without a restart: links, countries, sessions', async () => {
    await change('service_link', 'https://help.example')
    expect(await visitor().call(getBasicInfo, null)).toMatchObject({
      value: { serviceLink: 'https://help.example' },
    })
    await change('blocked_areas', 'KP,FR')
    const countries = await visitor().call(listCountries, null)
    const blocked = countries.ok ? countries.value.filter(({ isBlocked }) => isBlocked) : []
    expect(blocked.map(({ code }) => code).toSorted()).toEqual(['FR', 'KP'])
    await change('session_idle_hours', '1')
    expect(server().deployment.settings.session_idle_hours).toBe(1)
  })

  test('show everybody the new address for complaints at once, and reject text that is no address', async () => {
    const shownEmail = () => visitor().call(getSupportEmail, null)
    expect(await shownEmail()).toMatchObject({ value: { email: '' } })
    await change('support_email', ' care@broker.example ')
    expect(await shownEmail()).toMatchObject({ value: { email: 'care@broker.example' } })
    expect(await change('support_email', 'care at broker')).toMatchObject({
      message: 'This value is not valid: must be one e-mail address, or the https address of a page.',
    })
    await change('support_email', 'https://broker.example/complaints')
    expect(await shownEmail()).toMatchObject({ value: { email: 'https://broker.example/complaints' } })
    await change('support_email', null)
    expect(await shownEmail()).toMatchObject({ value: { email: '' } })
  })

  test.each([
    ['credit_score', '50', 'settingFixed'],
    ['session_idle_hours', '0', 'settingInvalid'],
    ['session_idle_hours', 'many', 'settingInvalid'],
    ['calls_per_second', '10', 'settingFixed'],
    ['registration_check', 'none', 'settingInvalid'],
    ['service_link', 'javascript:alert(1)', 'settingInvalid'],
    ['support_email', 'nobody', 'settingInvalid'],
    ['support_email', 'http://broker.example/', 'settingInvalid'],
    ['support_email', 'javascript:alert(1)', 'settingInvalid'],
    ['support_email', 'a@broker.example, b@broker.example', 'settingInvalid'],
    ['support_email', 'a@broker.example,', 'settingInvalid'],
    ['main_area', 'XX', 'settingInvalid'],
    ['blocked_areas', 'CU,XX', 'settingInvalid'],
    ['loss_hosts', 'https://x', 'settingInvalid'],
    ['main_loss_url', 'http://moved.example/', 'settingInvalid'],
    ['demo_balance_min', '0', 'settingInvalid'],
    ['demo_balance_max', '1000000001', 'settingInvalid'],
    ['fee_type', 'fixed', 'unknownSetting'],
    ['toString', '1', 'unknownSetting'],
  ])('reject %s = %s and stay unchanged', async (name, value, reason) => {
    const before = await administrator.request(listSettings, { search: '' })
    expect(await change(name, value)).toMatchObject({ reason })
    expect(await administrator.request(listSettings, { search: '' })).toEqual(before)
  })

  test('reject the second of two changes made from the same form', async () => {
    const form = { name: 'session_hours', value: '24', was: '720', reason: 'shorter' }
    const outcomes = await Promise.all([0, 1].map(() => administrator.refusalOf(changeSetting, form)))
    expect(outcomes.filter(Boolean)).toEqual(['formOutdated'])
  })

  describe('that need two operators', () => {
    const valueOfSetting = async (name: string) => (await settingCalled(name))?.value
    const request = async (name: string, value: string | null, by = administrator) =>
      by.request(changeSetting, {
        name,
        value,
        was: (await valueOfSetting(name)) ?? '',
        reason: 'a new rule',
      })
    const approve = (id: number | null, by: AtDesk) =>
      by.refusalOf(decideApproval, { id: id ?? 0, isApproved: true, reason: 'agreed by phone' })

    test('are all covered here', () => {
      expect(SETTINGS_OF_TWO.toSorted()).toEqual(SETTINGS_NEEDING_TWO.map(([name]) => name).toSorted())
    })

    test.each(SETTINGS_NEEDING_TWO)('%s is changed by two operators, and not by one', async (name, value) => {
      const compliance = await atDesk(server(), 'compliance')
      const finance = await atDesk(server(), 'finance')
      const before = await valueOfSetting(name)
      const answer = await request(name, value)
      expect(answer).toMatchObject({ approvalId: expect.any(Number), name, value: before, source: 'default' })
      const { approvalId } = answer
      expect(await approve(approvalId, administrator)).toBe('sameOperator')
      expect(await approve(approvalId, finance)).toBe('roleRefused')
      expect(await valueOfSetting(name)).toBe(before)
      expect(await approve(approvalId, compliance)).toBeNull()
      expect(await settingCalled(name)).toMatchObject({ value, source: 'stored' })
      const past = await administrator.request(listSettingChanges, { name, page: 1 })
      expect(past.total).toBe(2)
      expect(past.changes).toMatchObject([
        { before, after: value, by: `${administrator.name}, ${compliance.name}`, reason: 'a new rule' },
        { before: '', after: before, by: 'deployment' },
      ])
    })

    test('reject an approval when the setting has changed since the request', async () => {
      const compliance = await atDesk(server(), 'compliance')
      const [first, second] = [
        await request('payout_wait_hours', '12'),
        await request('payout_wait_hours', '1'),
      ]
      expect(await approve(first.approvalId, compliance)).toBeNull()
      expect(await approve(second.approvalId, compliance)).toBe('formOutdated')
      expect((await settingCalled('payout_wait_hours'))?.comingValue).toBe('12')
      const outdated = { name: 'payout_wait_hours', value: '2', was: '24', reason: 'shorter' }
      expect(await administrator.refusalOf(changeSetting, outdated)).toBe('formOutdated')
      expect(await change('payout_wait_hours', 'soon')).toMatchObject({ reason: 'settingInvalid' })
      await server().deployment.engine.caughtUp()
      expect((await verify(server().deployment.database)).difference).toBeNull()
    })

    const shown = async () =>
      valueOf(await visitor().call(listTermsChanges, null)).filter(({ kind: each }) => each === 'payments')

    test.each([
      ['payout_wait_hours', '96'],
      ['unverified_may_withdraw', '0'],
      ['closing_left_max', '0'],
    ] as const)(
      '%s takes effect after the notice period when it is worse for users, who see it announced',
      async (name, after) => {
        const compliance = await atDesk(server(), 'compliance')
        const { approvalId } = await request(name, after)
        const before = await valueOfSetting(name)
        const since = Date.now()
        expect(await approve(approvalId, compliance)).toBeNull()
        const coming = await settingCalled(name)
        expect(coming).toMatchObject({ value: before, comingValue: after })
        expect(coming?.comingAt).toBeGreaterThanOrEqual(since + 24 * 3_600_000)
        expect(server().deployment.settings[name]).toBe(Number(before))
        expect((await shown())[0]).toMatchObject({
          fields: [{ field: name, before, after }],
          effectiveAt: coming?.comingAt,
          isInForce: false,
          reason: 'a new rule',
        })
        const back = await request(name, before ?? '')
        expect(await approve(back.approvalId, compliance)).toBeNull()
        expect(await settingCalled(name)).toMatchObject({ value: before, comingValue: null })
        expect((await shown()).filter(({ isInForce }) => !isInForce)).toEqual([])
      },
    )

    test('take effect at once otherwise, and are shown for a day; the recipients of the hashes are not shown', async () => {
      const compliance = await atDesk(server(), 'compliance')
      for (const [name, value] of [
        ['card_payment_link', 'https://cards.example'],
        ['journal_hash_recipients', 'auditor@broker.example'],
      ] as const) {
        const { approvalId } = await request(name, value)
        expect(await approve(approvalId, compliance)).toBeNull()
        expect(await valueOfSetting(name)).toBe(value)
      }
      const fields = (await shown()).flatMap((change) => change.fields)
      expect(fields).toContainEqual({
        field: 'card_payment_link',
        before: 'https://pay.example',
        after: 'https://cards.example',
      })
      expect(fields.map(({ field }) => field)).not.toContain('journal_hash_recipients')
    })

    test('stay unchanged when the operator who requested the change has lost the role since', async () => {
      const leaving = await atDesk(server(), 'administrator')
      const compliance = await atDesk(server(), 'compliance')
      const before = await valueOfSetting('unverified_may_withdraw')
      const { approvalId } = await request('unverified_may_withdraw', null, leaving)
      await server()
        .deployment.database.queries.updateTable('operator')
        .set({ role: 'support' })
        .where('id', '=', BigInt(leaving.id))
        .execute()
      expect(await approve(approvalId, compliance)).toBe('operatorNotEntitled')
      expect(await approve(approvalId, compliance)).toBe('caseEnded')
      expect(await valueOfSetting('unverified_may_withdraw')).toBe(before)
    })
  })

  test('need a reason for a change', async () => {
    const form = { name: 'session_idle_hours', value: '30', was: '168', reason: ' ' }
    expect(await administrator.refusalOf(changeSetting, form)).toBe('reasonMissing')
  })
})

describe.each(DATABASES)('settings at a desk with one operator, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9', DESK_PASSWORD } })

  test('can be changed, except those that need two operators', async () => {
    const { token } = await callsAs(server().url, null).request(logInToDesk, {
      name: 'admin',
      password: DESK_PASSWORD,
      code: null,
    })
    const only = callsAs(server().url, token)
    const { secret } = await only.request(prepareDeskFactor, null)
    await only.request(confirmDeskFactor, { code: totpCode(secret, Date.now()) })
    const { settings } = await only.request(listSettings, { search: '' })
    const was = (name: string) => settings.find((setting) => setting.name === name)?.value ?? ''
    for (const [name, value] of SETTINGS_NEEDING_TWO) {
      const form = { name, value, was: was(name), reason: 'a new rule' }
      expect(await only.refusalOf(changeSetting, form), name).toBe('secondOperatorNeeded')
    }
    expect((await only.request(listSettings, { search: '' })).settings).toEqual(settings)
    const form = { name: 'session_hours', value: '24', was: was('session_hours'), reason: 'shorter' }
    expect(await only.request(changeSetting, form)).toMatchObject({ value: '24', approvalId: null })
    const refusals = await only.request(listAuditEntries, {
      ...EVERYTHING,
      act: 'changeSettings',
      outcome: 'refused',
    })
    expect(refusals.total).toBe(SETTINGS_NEEDING_TWO.length)
  })
})

describe.each(DATABASES)('settings of two operators given at the start, %s', (kind) => {
  let place: Awaited<ReturnType<typeof makePlace>>
  beforeEach(async () => {
    place = await makePlace(kind)
    return place.remove
  })
  const start = (env: Readonly<Record<string, string>>) => startServer(place, { env })

  test('are taken at the first start, then only two operators can change them, and a notice survives a restart', async () => {
    const first = await start({ SETTING_PAYOUT_WAIT_HOURS: '7' })
    expect(first.deployment.settings.payout_wait_hours).toBe(7)
    await first.stop()
    const other = start({ SETTING_PAYOUT_WAIT_HOURS: '0' })
    await expect(other).rejects.toThrow(
      'SETTING_PAYOUT_WAIT_HOURS is not the value in force, which two operators change at the desk: start without it.',
    )
    // Nobody has set it, so the default is in force and may not be replaced either.
    const unset = start({ SETTING_UNVERIFIED_MAY_WITHDRAW: '1' })
    await expect(unset).rejects.toThrow(/^SETTING_UNVERIFIED_MAY_WITHDRAW is not the value in force/)
    const again = await start({ SETTING_PAYOUT_WAIT_HOURS: '7' })
    const administrator = await atDesk(again, 'administrator')
    const compliance = await atDesk(again, 'compliance')
    const form = { name: 'payout_wait_hours', value: '9', was: '7', reason: 'a longer wait' }
    const { approvalId } = await administrator.request(changeSetting, form)
    await compliance.request(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: 'agreed' })
    await again.stop()
    const next = await start({})
    expect(next.deployment.settings.payout_wait_hours).toBe(7)
    expect(next.deployment.liveSettings.comingOf('payout_wait_hours')?.text).toBe('9')
    await next.deployment.database.queries.updateTable('setting').set({ holds_from: 1n }).execute()
    await next.stop()
    const last = await start({})
    expect(last.deployment.settings.payout_wait_hours).toBe(9)
    await last.stop()
  })

  test('have an audit entry of the first start, so that verify finds one forged later', async () => {
    const first = await start({})
    const { database } = first.deployment
    const compliance = await atDesk(first, 'compliance')
    for (const name of SETTINGS_OF_TWO) {
      const subject = `setting:${name}`
      const { acts } = await compliance.request(listAuditEntries, { ...EVERYTHING, subject })
      expect(acts.at(-1)).toMatchObject({ operatorId: null, operator: 'deployment', role: null })
      const { changes } = await compliance.request(getAuditEntry, { id: acts.at(-1)?.id ?? 0 })
      expect(changes).toMatchObject([{ field: 'value', before: null }])
    }
    await first.deployment.engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
    const forged = await differenceWith(database, (queries) =>
      queries
        .updateTable('setting')
        .set({ value: 'x@y' })
        .where('name', '=', 'journal_hash_recipients')
        .execute(),
    )
    expect(forged).toBe(
      'setting journal_hash_recipients: value is "x@y", it should be "", as the audit log says',
    )
    const settingEntries = { ...EVERYTHING, act: 'changeSettings' }
    const { total } = await compliance.request(listAuditEntries, settingEntries)
    await first.stop()
    const again = await start({})
    const later = callsAs(again.url, compliance.token)
    expect((await later.request(listAuditEntries, settingEntries)).total).toBe(total)
    await again.stop()
  })

  test('stay with two operators once these have reset one to its default', async () => {
    const first = await start({})
    const administrator = await atDesk(first, 'administrator')
    const compliance = await atDesk(first, 'compliance')
    for (const [value, was] of [
      ['https://pay.example', ''],
      [null, 'https://pay.example'],
    ] as const) {
      const form = { name: 'card_payment_link', value, was, reason: 'another provider' }
      const { approvalId } = await administrator.request(changeSetting, form)
      await compliance.request(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: 'agreed' })
    }
    await first.stop()
    await expect(start({ SETTING_CARD_PAYMENT_LINK: 'https://mine.example' })).rejects.toThrow(
      /^SETTING_CARD_PAYMENT_LINK is not the value in force/,
    )
  })
})
