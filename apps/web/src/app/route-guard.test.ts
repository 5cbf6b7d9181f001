import { describe, expect, test } from 'vitest'
import { isEntry, pathAfterLogin, pathWithFrom, redirectOf } from './route-guard.ts'
import { accessOf, routeOf, ROUTES } from './routes.ts'

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
  test('is not fooled by a slash at the end', () => {
    expect(visitor('/order/')).toBe('/login?from=%2Forder%2F')
  })
})

describe('where the login leads', () => {
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

describe('the ways in', () => {
  test('are the login, the registration and the forgotten password', () => {
    expect(ROUTES.map(({ path }) => path).filter(isEntry)).toEqual(['/login', '/register', '/forgot'])
  })
  test('hand on where they lead', () => {
    expect(pathWithFrom('register', '/order?tab=history')).toBe('/register?from=%2Forder%3Ftab%3Dhistory')
    expect(pathWithFrom('login', null)).toBe('/login')
  })
})

describe('who may see a screen', () => {
  test('a screen that sends to the login is for users', () => {
    for (const { needsLogin, access } of ROUTES) if (needsLogin) expect(access).toBe('user')
  })
  test('demo accounts are refused where the specification says so', () => {
    for (const name of ['auth', 'invite', 'password', 'charge', 'withdraw', 'wallet'] as const)
      expect(accessOf(name)).toBe('real')
  })
})

test('the table holds every screen once', () => {
  expect(new Set(ROUTES.map(({ path }) => path)).size).toBe(ROUTES.length)
  for (const route of ROUTES) expect(routeOf(route.path)).toBe(route)
})
