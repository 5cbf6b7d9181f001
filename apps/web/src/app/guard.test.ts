import { describe, expect, test } from 'vitest'
import { pathAfterLogin, redirectOf } from './guard.ts'
import { routeOf, ROUTES } from './routes.ts'

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
  })
})

test('the table holds every screen once', () => {
  expect(ROUTES).toHaveLength(27)
  expect(new Set(ROUTES.map(({ path }) => path)).size).toBe(27)
  for (const route of ROUTES) expect(routeOf(route.path)).toBe(route)
})
