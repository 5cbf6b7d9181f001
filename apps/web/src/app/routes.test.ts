import { describe, expect, test } from 'vitest'
import { accessOf, isEntry, pathAfterLogin, pathWithFrom, redirectOf, routeOf, ROUTES } from './routes.ts'

/** The table of the specification, line by line: name, path, flags. */
const SPECIFIED = `
home / keep footer
trade /trade keep footer
order /order login keep footer
user /user login keep footer
news /news keep footer
newsDetail /news/detail
rank /rank keep footer
feedback /feedback
login /login
register /register
forgot /forgot
product /product
auth /mine/auth
invite /mine/invite
email /mine/email
announcement /mine/announcement
password /mine/password
history /mine/history
charge /mine/charge
withdraw /mine/withdraw
chat /mine/chat
system /mine/system
wallet /mine/wallet
bankCardList /mine/bank-card-list
coinAddressList /mine/coin-address-list
withdrawWay /mine/withdraw-way
language /language
`

test('every route of the specification is there, with its name, path and flags', () => {
  const lines = ROUTES.map(({ name, path, needsLogin, isKept, hasFooter }) =>
    [name, path, needsLogin && 'login', isKept && 'keep', hasFooter && 'footer'].filter(Boolean).join(' '),
  )
  expect(lines).toEqual(expect.arrayContaining(SPECIFIED.trim().split('\n')))
})

const visitor = (pathname: string, search = '') => redirectOf({ pathname, search }, false)
const user = (pathname: string, search = '') => redirectOf({ pathname, search }, true)

describe('the guard', () => {
  test('sends a visitor to the login, with the wanted path', () => {
    expect(visitor('/order')).toBe('/login?from=%2Forder')
    expect(visitor('/order', '?tab=history')).toBe('/login?from=%2Forder%3Ftab%3Dhistory')
  })
  test('lets a visitor see what needs no login', () => {
    for (const path of ['/', '/trade', '/news', '/rank', '/login', '/product', '/language'])
      expect(visitor(path)).toBeNull()
  })
  test('lets a user go anywhere', () => {
    for (const { path } of ROUTES) expect(user(path)).toBeNull()
  })
  test('leads /mine to the user centre, through the login for a visitor', () => {
    expect(user('/mine')).toBe('/user')
    expect(visitor('/mine')).toBe('/login?from=%2Fuser')
  })
  test('ignores a trailing slash', () => {
    expect(visitor('/order/')).toBe('/login?from=%2Forder%2F')
  })
})

describe('the path after the log-in', () => {
  test('back to the wanted screen with its query', () => {
    expect(pathAfterLogin('/order')).toBe('/order')
    expect(pathAfterLogin('/rank?tab=copy')).toBe('/rank?tab=copy')
  })
  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/order',
    'javascript:alert(1)',
    '',
    '/no-such',
  ])('home when from is %j', (from) => {
    expect(pathAfterLogin(from)).toBe('/')
  })
  test('home when from is missing or the login itself', () => {
    expect(pathAfterLogin(null)).toBe('/')
    expect(pathAfterLogin('/login?from=/login')).toBe('/')
    expect(pathAfterLogin('/register?invite_code=A1')).toBe('/')
    expect(pathAfterLogin('/forgot/')).toBe('/')
  })
})

describe('the entry screens', () => {
  test('are the login, the registration and the forgotten password', () => {
    expect(ROUTES.map(({ path }) => path).filter(isEntry)).toEqual(['/login', '/register', '/forgot'])
  })
  test('pass on where they return to', () => {
    expect(pathWithFrom('register', '/order?tab=history')).toBe('/register?from=%2Forder%3Ftab%3Dhistory')
    expect(pathWithFrom('login', null)).toBe('/login')
  })
})

describe('who may see a screen', () => {
  test('a screen that sends to the login is for users', () => {
    for (const { needsLogin, access } of ROUTES) if (needsLogin) expect(access).toBe('user')
  })
  test('demo accounts are rejected where the specification says so', () => {
    for (const name of ['auth', 'invite', 'password', 'charge', 'withdraw', 'wallet'] as const)
      expect(accessOf(name)).toBe('real')
  })
})

test('the table contains every screen once', () => {
  expect(new Set(ROUTES.map(({ path }) => path)).size).toBe(ROUTES.length)
  for (const route of ROUTES) expect(routeOf(route.path)).toBe(route)
})
