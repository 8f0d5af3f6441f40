import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { forgetControlKey } from './actions/session.ts';
import { createQueries } from './api/queries.ts';
import { createConsoleRouter } from './router.tsx';
import { forgetSession } from './session/memory.ts';
import { signOutOfVault } from './vault/session.ts';
import { discoverWallets } from './wallet/wallets.ts';

discoverWallets();

const queries = createQueries(() => {
  forgetSession();
  forgetControlKey();
  void signOutOfVault();
  queries.clear();
  // The frame's guard sends to the sign-in page, which comes back to this very place.
  void router.invalidate();
});
const router = createConsoleRouter(queries);

const root = document.getElementById('console');
if (root === null) throw new Error('index.html has no #console');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
