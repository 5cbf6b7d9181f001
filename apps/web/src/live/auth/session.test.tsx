import {
  chooseLanguage,
  createDemoAccount,
  getUser,
  getWatchList,
  listOrders,
  logIn,
  logOut,
  setWatched,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerOrders, notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, askedWith, cut, hold, push, refuse } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'
import { queryClient } from '../requests/query-client.ts'
import { watch } from '../market/watch-list.ts'
import { currentToken, setToken } from './token.ts'
import { keepDemo } from './user.ts'

withFakeServer()

const fillIn = async () => {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.org')
  await page.getByLabelText('Password', { exact: true }).fill('correct horse')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
}

describe('who enters an account', () => {
  test('brings along the instruments that the visitor had marked, once', async () => {
    answer(logIn, { token: 'fresh', user: sample.realUser() })
    answer(setWatched, { instrumentIds: [3, 1] })
    await openApp('/login')
    await watch(3, true)
    await fillIn()
    await expect.poll(() => asked(setWatched)).toEqual([{ instrumentIds: [3], isWatched: true }])
    await expect.poll(() => localStorage.getItem('fairlot.watched')).toBeNull()
  })

  test('keeps the marks on the device while the account does not take them', async () => {
    answer(logIn, { token: 'fresh', user: sample.realUser() })
    cut(setWatched)
    await openApp('/login')
    await watch(3, true)
    await fillIn()
    await expect.poll(() => asked(setWatched).length).toBe(1)
    await settled()
    expect(localStorage.getItem('fairlot.watched')).toBe('3')
    expect(currentToken()).toBe('fresh')
    setToken(null)
    await watch(3, false)
  })

  test('sees nothing of the account before, and that session is ended once the socket has gone over', async () => {
    answerOrders({ holding: [sample.position()] })
    answer(getWatchList, { instrumentIds: [] })
    const visit = await openApp('/order', { as: 'demo' })
    await expect.element(page.getByText('EUR/USD').first()).toBeVisible()
    await visit.unmount()
    const user = sample.realUser()
    answer(logIn, { token: 'fresh', user })
    answer(getUser, user)
    await openApp('/login?from=%2Forder')
    const release = hold(listOrders)
    answerOrders({})
    await fillIn()
    await expect.element(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    expect(queryClient.getQueryData(['orders', 'holding'])).toBeUndefined()
    await expect.element(page.getByRole('main').getByText('EUR/USD')).not.toBeInTheDocument()
    release()
    await expect.poll(() => askedWith(logOut)[0]?.get('authorization')).toBe('token-of-a-session')
    expect(currentToken()).toBe('fresh')
  })
})

describe('the demo of this device', () => {
  const again = () => page.getByRole('button', { name: 'Open your demo again' })

  test('that cannot be opened now is kept for another try, and no new one is made', async () => {
    keepDemo('secret')
    refuse(logIn, 'tooManyRequests', 'Too many tries. Wait a minute.')
    await openApp('/')
    await again().click()
    await expect.element(notice('Too many tries. Wait a minute.')).toBeVisible()
    expect(asked(createDemoAccount)).toEqual([])
    answer(logIn, { token: 't', user: sample.demoUser() })
    await again().click()
    await expect.element(page.getByText('Net value')).toBeVisible()
    expect(asked(logIn)).toEqual([{ demoId: 'secret' }, { demoId: 'secret' }])
  })
})

describe('the reader’s language', () => {
  const told = () => asked(chooseLanguage).map(({ language }) => language)

  test('is told with the log-in when a visitor has chosen it, and again at the next start if nobody heard', async () => {
    cut(chooseLanguage)
    answer(logIn, { token: 'fresh', user: sample.realUser() })
    await openApp('/login')
    expect(told()).toEqual([])
    await fillIn()
    await expect.poll(told).toEqual(['en'])
    await settled()
    expect(localStorage.getItem('fairlot.isLanguageUntold')).toBe('yes')
  })

  test('that was told is not told again', async () => {
    await openApp('/', { as: 'real' })
    await expect.poll(told).toEqual(['en'])
    await expect.poll(() => localStorage.getItem('fairlot.isLanguageUntold')).toBeNull()
  })
})

describe('an account that an operator has acted on', () => {
  test('is asked for anew by the words about it, and by no others', async () => {
    await openApp('/user', { as: 'real' })
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
    await settled()
    const before = asked(getUser).length
    const said = { id: 1, title: 'Said', text: '', time: sample.NOON }
    push({ type: 'notice', userId: 8, seq: 1, notice: { ...said, kind: 'orderExpired' } })
    await settled()
    expect(asked(getUser).length).toBe(before)
    answer(getUser, sample.realUser({ identityCheck: 'verified' }))
    push({ type: 'notice', userId: 8, seq: 2, notice: { ...said, kind: 'identityVerified' } })
    await expect.element(page.getByRole('link', { name: /verified$/ })).toBeVisible()
  })
})
