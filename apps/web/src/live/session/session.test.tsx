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
import { answer, inputsOf, headersOf, failConnection, hold, push, reject } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'
import { queryClient } from '../requests/query-client.ts'
import { watch } from '../market/watchlist.ts'
import { currentToken, setToken } from '../device/token.ts'
import { storeUser } from './fetch-user.ts'
import { logOutHere, startDemo } from './session.ts'
import { keepDemo, loadUser } from './user.ts'

withFakeServer()

const fillIn = async () => {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.org')
  await page.getByLabelText('Password', { exact: true }).fill('correct horse')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
}

/** What another tab stores on this device, of which this one hears nothing. */
const storeOfOtherTab = (name: string, value: string) => localStorage.setItem(`fairlot.${name}`, value)

describe('a user who logs in', () => {
  test('adds the visitor’s watchlist to the account, once', async () => {
    answer(logIn, { token: 'fresh', user: sample.realUser() })
    answer(setWatched, { instrumentIds: [3, 1] })
    await openApp('/login')
    await watch(3, true)
    await fillIn()
    await expect.poll(() => inputsOf(setWatched)).toEqual([{ instrumentIds: [3], isWatched: true }])
    await expect.poll(() => localStorage.getItem('fairlot.watched')).toBeNull()
  })

  test('sees the list that was added, also when the account’s earlier list arrives after it', async () => {
    answer(logIn, { token: 'fresh', user: sample.realUser() })
    answer(getWatchList, { instrumentIds: [] })
    answer(setWatched, { instrumentIds: [3] })
    const [store, arrive] = [hold(setWatched), hold(getWatchList)]
    await openApp('/login?from=%2F')
    await watch(3, true)
    await fillIn()
    await expect.poll(() => inputsOf(getWatchList).length).toBe(1)
    store()
    await expect.poll(() => localStorage.getItem('fairlot.watched')).toBeNull()
    arrive()
    await settled()
    expect(queryClient.getQueryData(['watched'])).toEqual([3])
  })

  test('keeps the watchlist on the device while the account cannot store it', async () => {
    answer(logIn, { token: 'fresh', user: sample.realUser() })
    failConnection(setWatched)
    await openApp('/login')
    await watch(3, true)
    await fillIn()
    await expect.poll(() => inputsOf(setWatched).length).toBe(1)
    await settled()
    expect(localStorage.getItem('fairlot.watched')).toBe('3')
    expect(currentToken()).toBe('fresh')
    setToken(null)
    await watch(3, false)
  })

  test('sees nothing of the previous account, whose session ends once the socket has logged in', async () => {
    answerOrders({ holding: [sample.position()] })
    answer(getWatchList, { instrumentIds: [] })
    const visit = await openApp('/order', { as: 'demo' })
    await expect.element(page.getByText('EUR/USD').first()).toBeVisible()
    await settled()
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
    await expect.poll(() => headersOf(logOut)[0]?.get('authorization')).toBe('token-of-a-session')
    expect(currentToken()).toBe('fresh')
  })
})

describe('the user stored with the token', () => {
  const stored = () => localStorage.getItem('fairlot.user')

  test('is there from the log-in to the log-out, and goes with a session that the server ends', async () => {
    answer(logIn, { token: 'fresh', user: sample.realUser() })
    answer(getUser, sample.realUser())
    await openApp('/login')
    await fillIn()
    await expect.poll(stored).toContain('ada@example.org')
    setToken(null)
    expect(stored()).toBeNull()
  })

  test('is shown at the next start before the server has answered, and then as the server has it', async () => {
    setToken('token-of-a-session')
    storeUser(sample.realUser(), 'token-of-a-session')
    await loadUser()
    answer(getUser, sample.realUser({ email: 'ben@example.org' }))
    const release = hold(getUser)
    await openApp('/user')
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
    release()
    await expect.element(page.getByText('ben@example.org')).toBeVisible()
    expect(stored()).toContain('ben@example.org')
  })

  test('is not stored beside the token of another, who has logged in in another tab', async () => {
    await openApp('/user', { as: 'real' })
    await expect.poll(stored).toContain('ada@example.org')
    await settled()
    storeOfOtherTab('token', 'token-of-bo')
    storeOfOtherTab('user', 'bo')
    await queryClient.invalidateQueries({ queryKey: ['user'] })
    await settled()
    expect(stored()).toBe('bo')
    // A tab that learns nothing of it goes on as it was.
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
  })

  test.each(['', '{', 'null', '{"id":8}', '[]'])('that cannot be read (%j) is fetched', async (text) => {
    localStorage.setItem('fairlot.user', text)
    setToken('token-of-a-session')
    await loadUser()
    expect(queryClient.getQueryData(['user', 'info'])).toBeUndefined()
    answer(getUser, sample.realUser())
    await openApp('/user')
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
  })
})

describe('the demo of this device', () => {
  const kept = () => localStorage.getItem('fairlot.demo')

  test('that another tab has opened since stays when this tab logs out of an earlier one', async () => {
    keepDemo('the first')
    answer(logOut, null)
    answer(logIn, { token: 't', user: sample.demoUser() })
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    storeOfOtherTab('demo', 'the second')
    storeOfOtherTab('token', 'token-of-the-second')
    await logOutHere(false)
    expect(kept()).toBe('the second')
    // The demo that is left is the one that is opened again.
    await again().click()
    await expect.element(page.getByText('Equity')).toBeVisible()
    expect(inputsOf(logIn)).toEqual([{ demoId: 'the second' }])
    expect(inputsOf(createDemoAccount)).toEqual([])
    await logOutHere(false)
    expect(kept()).toBeNull()
  })

  test('is the one that another tab has created, also where this one knew of none', async () => {
    answer(logIn, { token: 't', user: sample.demoUser() })
    await openApp('/')
    await expect.element(page.getByText('EUR/USD').first()).toBeVisible()
    storeOfOtherTab('demo', 'of the other tab')
    await startDemo()
    expect(inputsOf(logIn)).toEqual([{ demoId: 'of the other tab' }])
    expect(inputsOf(createDemoAccount)).toEqual([])
  })

  const again = () => page.getByRole('button', { name: 'Open your demo again' })

  test('that cannot be opened now is kept for another try, and no new one is created', async () => {
    keepDemo('secret')
    reject(logIn, 'tooManyRequests', 'Too many tries. Wait a minute.')
    await openApp('/')
    await again().click()
    await expect.element(notice('Too many tries. Wait a minute.')).toBeVisible()
    expect(inputsOf(createDemoAccount)).toEqual([])
    answer(logIn, { token: 't', user: sample.demoUser() })
    await again().click()
    await expect.element(page.getByText('Equity')).toBeVisible()
    expect(inputsOf(logIn)).toEqual([{ demoId: 'secret' }, { demoId: 'secret' }])
  })
})

describe('the user’s language', () => {
  const reported = () => inputsOf(chooseLanguage).map(({ language }) => language)

  test('is reported with the log-in when a visitor has chosen it, and again at the next start after a failure', async () => {
    failConnection(chooseLanguage)
    answer(logIn, { token: 'fresh', user: sample.realUser() })
    await openApp('/login')
    expect(reported()).toEqual([])
    await fillIn()
    await expect.poll(reported).toEqual(['en'])
    await settled()
    expect(localStorage.getItem('fairlot.languageToReport')).toBe('yes')
  })

  test('that was reported is not reported again', async () => {
    await openApp('/', { as: 'real' })
    await expect.poll(reported).toEqual(['en'])
    await expect.poll(() => localStorage.getItem('fairlot.languageToReport')).toBeNull()
  })
})

describe('an account changed by an operator', () => {
  test('is fetched again after notices about it, and after no others', async () => {
    await openApp('/user', { as: 'real' })
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
    await settled()
    const before = inputsOf(getUser).length
    const fields = { id: 1, title: 'Notice', text: '', time: sample.NOON }
    push({ type: 'notice', userId: 8, seq: 1, notice: { ...fields, kind: 'orderExpired' } })
    await settled()
    expect(inputsOf(getUser).length).toBe(before)
    answer(getUser, sample.realUser({ identityCheck: 'verified' }))
    push({ type: 'notice', userId: 8, seq: 2, notice: { ...fields, kind: 'identityVerified' } })
    await expect.element(page.getByRole('link', { name: /verified$/ })).toBeVisible()
  })
})
