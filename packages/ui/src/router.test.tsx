import { useLayoutEffect } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import {
  At,
  FIRST_KEY,
  HashRouter,
  Link,
  navigate,
  Navigate,
  useLocation,
  useSearchParams,
} from './router.tsx'

/** Every place that was shown, the newest last. */
let seen: ReturnType<typeof useLocation>[] = []

function Place() {
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
        Refused
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
      <Place />
    </HashRouter>,
  )
}

beforeEach(() => open('/start'))

/** Somebody follows a link of the page while the app is still being drawn. */
function MovesBeforeAnybodyListens() {
  useLayoutEffect(() => history.replaceState(null, '', '#/list?tab=early'), [])
  return null
}

describe('the place behind the #', () => {
  test('is the one of now, however long the first drawing took', async () => {
    history.replaceState(null, '', '#/start')
    await render(
      <HashRouter>
        <MovesBeforeAnybodyListens />
        <Shown />
      </HashRouter>,
    )
    await expect.element(page.getByText('shown /list?tab=early')).toBeVisible()
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
  test('is followed when somebody types another', async () => {
    location.hash = '#/typed'
    await at('/typed')
  })
  test('is known without a browser where it is given', async () => {
    await render(
      <At pathname="/given">
        <Place />
      </At>,
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
  test('carries its address, for a new tab and for copying', () => {
    expect(page.getByText('List', { exact: true }).element().getAttribute('href')).toBe('#/list')
  })
  test('that is only a query stays on the path', async () => {
    await press('Copies')
    await at('/start?tab=copy')
    expect(page.getByText('Copies').element().getAttribute('href')).toBe('#/start?tab=copy')
  })
  test('to the very place is a navigation, but none to go back from', async () => {
    await press('List')
    await at('/list')
    const { length } = history
    const before = last()?.key
    await press('List')
    await expect.poll(() => last()?.key).not.toBe(before)
    expect(last()?.isReplaced).toBe(true)
    expect(history.length).toBe(length)
  })
  test('that replaces leaves nothing to go back to', async () => {
    const { length } = history
    await press('Entry')
    await at('/entry')
    expect(history.length).toBe(length)
  })
  test('is left to the browser with a key held down', async () => {
    let isOurs = true
    const notice = (event: MouseEvent) => {
      isOurs = event.defaultPrevented
      event.preventDefault()
    }
    window.addEventListener('click', notice)
    await userEvent.keyboard('{Control>}')
    await press('List')
    await userEvent.keyboard('{/Control}')
    window.removeEventListener('click', notice)
    expect(isOurs).toBe(false)
    await at('/start')
  })
  test('whose press was taken by its owner leads nowhere', async () => {
    await press('Refused')
    await at('/start')
    expect(location.hash).toBe('#/start')
  })
})

describe('a navigation', () => {
  test('has a key of its own, kept over back and forth', async () => {
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
  test('brings its state along, and only itself says that it replaced', async () => {
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
  test('changes the query alone, and clears it', async () => {
    await press('Choose')
    await at('/start?tab=a+b')
    await expect.element(page.getByText('tab a b')).toBeVisible()
    await press('Clear')
    await at('/start')
    expect(location.hash).toBe('#/start')
  })
  test('happens by being drawn', async () => {
    await render(
      <HashRouter>
        <Navigate to="/drawn" replace />
        <Place />
      </HashRouter>,
    )
    await expect.poll(() => location.hash).toBe('#/drawn')
  })
})
