import { beforeEach } from 'vitest'
import { cleanup } from 'vitest-browser-react'

// `vitest-browser-react` does so itself in the first file that imports it; other files share its module.
beforeEach(cleanup)
