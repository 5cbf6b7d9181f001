import { useLayoutEffect } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import {
  StaticLocation,
  FIRST_KEY,
  HashRouter,
  Link,
  navigate,
  Navigate,
  useLocation,
  useSearchParams,
} from './router.tsx'

/** Every location that was rendered, the latest last. */
let seen: ReturnType<typeof useLocation>[] = []

function Probe() {
  const location = useLocation()
  const [query, setQuery] = useSearchParams()
  useLayoutEffect(() => {
    seen = [...seen, location]
  }, [location])
  return (
    <>
      <p>{`at ${location.pathname}${location.search}`}</p>
      <p>{`tab ${query.get('tab') ?? 'none'}`}</p>
      <button onClick={() => setQuery({ tab: 'a b' }, { replace: true })}>Choose</button>
      <button onClick={() => setQuery({})}>Clear</button>
      <Link to="/list">List</Link>
      <Link to="?tab=copy">Copies</Link>
      <Link to="/entry" replace>
        Entry
      </Link>
      <Link to="/list" onClick={(event) => event.preventDefault()}>
        Prevented
      </Link>
    </>
  )
}

function Shown() {
  const { pathname, search } = useLocation()
  return <p>{`shown ${pathname}${search}`}</p>
}

const at = (path: string) => expect.element(page.getByText(`at ${path}`, { exact: true })).toBeVisible()
const press = (name: string) => page.getByText(name, { exact: true }).click()
const last = () => seen.at(-1)

async function open(path: string) {
  history.replaceState(null, '', `#${path}`)
  seen = []
  await render(
    <HashRouter>
      <Probe />
    </HashRouter>,
  )
}

beforeEach(() => open('/start'))

/** Changes the address during the first render, as a user does who follows a link meanwhile. */
function NavigatesWhileRendering() {
  useLayoutEffect(() => history.replaceState(null, '', '#/list?tab=early'), [])
  return null
}

describe('the location after the #', () => {
  test('is the current one, however long the first render took', async () => {
    history.replaceState(null, '', '#/start')
    await render(
      <HashRouter>
        <NavigatesWhileRendering />
        <Shown />
      </HashRouter>,
    )
    await expect.element(page.getByText('shown /list?tab=early')).toBeVisible()
  })

  test('is not redirected by a screen that the user left before it was shown', async () => {
    history.replaceState(null, '', '#/private')
    const Private = () => (useLocation().pathname === '/private' ? <Navigate to="/entry" replace /> : null)
    await render(
      <HashRouter>
        <NavigatesWhileRendering />
        <Private />
        <Shown />
      </HashRouter>,
    )
    await expect.element(page.getByText('shown /list?tab=early')).toBeVisible()
    expect(location.hash).toBe('#/list?tab=early')
  })

  test('has a path and a query', async () => {
    await open('/trade?code=EURUSD')
    await at('/trade?code=EURUSD')
  })
  test.each([
    ['', '/'],
    ['list', '/list'],
    ['/list?', '/list'],
    ['/list?a=1?b', '/list?a=1?b'],
    ['/list#part', '/list'],
    ['/%zz?%zz', '/%zz?%zz'],
  ])('written as "%s" is %s', async (written, path) => {
    await open(written)
    await at(path)
  })
  test('follows an address typed by the user', async () => {
    location.hash = '#/typed'
    await at('/typed')
  })
  test('can be given, for rendering without a browser', async () => {
    await render(
      <StaticLocation pathname="/given">
        <Probe />
      </StaticLocation>,
    )
    await at('/given')
  })
})

describe('a link', () => {
  test('leads to its path, and back leads to where it was pressed', async () => {
    await press('List')
    await at('/list')
    expect(location.hash).toBe('#/list')
    history.back()
    await at('/start')
  })
  test('has an address to copy or open in a new tab', () => {
    expect(page.getByText('List', { exact: true }).element().getAttribute('href')).toBe('#/list')
  })
  test('with only a query keeps the path', async () => {
    await press('Copies')
    await at('/start?tab=copy')
    expect(page.getByText('Copies').element().getAttribute('href')).toBe('#/start?tab=copy')
  })
  test('to the current location navigates without adding to the history', async () => {
    await press('List')
    await at('/list')
    const { length } = history
    const before = last()?.key
    await press('List')
    await expect.poll(() => last()?.key).not.toBe(before)
    expect(last()?.isReplaced).toBe(true)
    expect(history.length).toBe(length)
  })
  test('that replaces adds nothing to the history', async () => {
    const { length } = history
    await press('Entry')
    await at('/entry')
    expect(history.length).toBe(length)
  })
  test('is left to the browser while a modifier key is held', async () => {
    let isOurs = true
    const listen = (event: MouseEvent) => {
      isOurs = event.defaultPrevented
      event.preventDefault()
    }
    window.addEventListener('click', listen)
    await userEvent.keyboard('{Control>}')
    await press('List')
    await userEvent.keyboard('{/Control}')
    window.removeEventListener('click', listen)
    expect(isOurs).toBe(false)
    await at('/start')
  })
  test('does nothing when its click handler prevents it', async () => {
    await press('Prevented')
    await at('/start')
    expect(location.hash).toBe('#/start')
  })
})

describe('a navigation', () => {
  test('has a unique key, kept when the user goes back and forward', async () => {
    expect(last()?.key).toBe(FIRST_KEY)
    navigate('/list')
    await at('/list')
    const key = last()?.key
    expect(key).not.toBe(FIRST_KEY)
    navigate(-1)
    await at('/start')
    expect(last()?.key).toBe(FIRST_KEY)
    history.forward()
    await at('/list')
    expect(last()?.key).toBe(key)
  })
  test('keeps its state in the history, but isReplaced only while it is new', async () => {
    navigate('/list', { replace: true, state: { isNamed: true } })
    await at('/list')
    expect(last()).toMatchObject({ state: { isNamed: true }, isReplaced: true })
    navigate('/on')
    await at('/on')
    expect(last()).toMatchObject({ state: null, isReplaced: false })
    navigate(-1)
    await at('/list')
    expect(last()).toMatchObject({ state: { isNamed: true }, isReplaced: false })
  })
  test('changes and clears only the query', async () => {
    await press('Choose')
    await at('/start?tab=a+b')
    await expect.element(page.getByText('tab a b')).toBeVisible()
    await press('Clear')
    await at('/start')
    expect(location.hash).toBe('#/start')
  })
  test('can be rendered as a redirect', async () => {
    await render(
      <HashRouter>
        <Navigate to="/redirected" replace />
        <Probe />
      </HashRouter>,
    )
    await expect.poll(() => location.hash).toBe('#/redirected')
  })
})
