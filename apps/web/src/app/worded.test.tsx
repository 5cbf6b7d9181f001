import { startTransition, Suspense, useLayoutEffect } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { LocaleProvider } from '../i18n/locale-provider.tsx'
import { loadMessages } from '../i18n/message-catalogue.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { worded } from './worded.tsx'

/** Draws as the app does; answers how often the reader saw that something was still missing. */
async function draw(screen: ReactNode): Promise<() => number> {
  let seen = 0
  const Missing = () => {
    useLayoutEffect(() => {
      seen += 1
    }, [])
    return null
  }
  const first = { language: 'en', messages: await loadMessages('en', 'first') } as const
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  startTransition(() =>
    root.render(
      <LocaleProvider language="en" first={first} isMoneyHidden={false}>
        <ErrorBoundary>
          <Suspense fallback={<Missing />}>{screen}</Suspense>
        </ErrorBoundary>
      </LocaleProvider>,
    ),
  )
  return () => seen
}

const Ticket = () => <p>the ticket</p>

function screenFrom(load: () => Promise<typeof Ticket>): ReactNode {
  const Screen = worded('trading', load)
  return <Screen />
}

test('a screen that was loaded ahead is shown with nothing in between', async () => {
  const Screen = worded('trading', () => Promise.resolve(Ticket))
  await Screen.load()
  const timesMissing = await draw(<Screen />)
  await expect.element(page.getByText('the ticket')).toBeVisible()
  expect(timesMissing()).toBe(0)
})

test('one that was not is missing until it comes', async () => {
  const coming = Promise.withResolvers<typeof Ticket>()
  const timesMissing = await draw(screenFrom(() => coming.promise))
  await expect.poll(timesMissing).toBe(1)
  coming.resolve(Ticket)
  await expect.element(page.getByText('the ticket')).toBeVisible()
})

test('one that could not be had ahead is asked for anew, one that cannot be had at all says so', async () => {
  const answers = [Promise.reject(new Error('planted')), Promise.resolve(Ticket)]
  const Screen = worded('trading', () => answers.shift() ?? Promise.reject(new Error('asked too often')))
  await expect(Screen.load()).rejects.toThrow('planted')
  await draw(<Screen />)
  await expect.element(page.getByText('the ticket')).toBeVisible()
  await draw(screenFrom(() => Promise.reject(new Error('planted'))))
  await expect.element(page.getByText('This screen stopped working')).toBeVisible()
})
