import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { getPushKey, listPushDevices, removePushDevice } from '@fairlot/contract'
import { openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()
afterEach(() => vi.restoreAllMocks())

const main = () => page.getByRole('main')
const turnOn = () => main().getByRole('button', { name: 'Turn on notifications' })

function permit(permission: NotificationPermission, answered: NotificationPermission = permission) {
  vi.spyOn(Notification, 'permission', 'get').mockReturnValue(permission)
  return vi.spyOn(Notification, 'requestPermission').mockResolvedValue(answered)
}

test('the browser asks only after a press; a refused or dismissed question is explained', async () => {
  const asked = permit('default', 'denied')
  await openApp('/mine/system', { as: 'real' })
  await expect.element(turnOn()).toBeVisible()
  expect(asked).not.toHaveBeenCalled()
  permit('denied')
  await turnOn().click()
  await expect.element(main().getByText(/This browser blocks notifications from this site/)).toBeVisible()
  await expect.element(turnOn()).not.toBeInTheDocument()
})

test('a dismissed question changes nothing and can be asked again', async () => {
  const asked = permit('default')
  await openApp('/mine/system', { as: 'real' })
  for (const times of [1, 2]) {
    await turnOn().click()
    await expect.element(main().getByText(/^Nothing was changed/)).toBeVisible()
    expect(asked).toHaveBeenCalledTimes(times)
  }
})

test('when the browser cannot subscribe, that is said and the switch stays off', async () => {
  permit('granted')
  answer(getPushKey, { key: 'BA' })
  vi.spyOn(navigator.serviceWorker, 'register').mockRejectedValue(
    new DOMException('refused', 'SecurityError'),
  )
  await openApp('/mine/system', { as: 'real' })
  await turnOn().click()
  await expect.element(main().getByText(/could not be turned on/)).toBeVisible()
  await expect.element(turnOn()).toBeVisible()
})

test('an iPhone is told to put the app on the home screen first', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)')
  vi.stubGlobal('PushManager', undefined)
  Reflect.deleteProperty(globalThis, 'PushManager')
  await openApp('/mine/system', { as: 'real' })
  await expect.element(main().getByText(/need the app on the home screen/)).toBeVisible()
  vi.unstubAllGlobals()
})

test('other devices are listed and can be removed; the kinds are switched while there is one', async () => {
  permit('default')
  const device = { id: 'd1', device: '', addedAt: sample.NOON, isCurrent: false }
  answer(listPushDevices, { devices: [device] })
  answer(removePushDevice, null)
  await openApp('/mine/system', { as: 'real' })
  await expect.element(main().getByText('Other devices')).toBeVisible()
  answer(listPushDevices, { devices: [] })
  await main()
    .getByRole('button', { name: /^Remove / })
    .click()
  await expect.poll(() => inputsOf(removePushDevice)).toEqual([{ id: 'd1' }])
  await expect.element(main().getByText('Other devices')).not.toBeInTheDocument()
})
