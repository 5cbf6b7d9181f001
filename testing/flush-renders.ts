import React from 'react'
import { flushSync } from 'react-dom'

/**
 * Imported before `vitest-browser-react` by the set-up of screen tests. React's production build, which these tests run in
 * `npm test`, has no `act`: here is one, so that what a test renders is on the page when `render` has ended, as in the
 * development build.
 */
async function act(callback: () => Promise<void>): Promise<void> {
  let ended = Promise.resolve()
  flushSync(() => {
    ended = callback()
  })
  await ended
  // What effects have asked for meanwhile.
  await new Promise((resolve) => setTimeout(resolve))
}

if (!React.act) Object.assign(React, { act })
