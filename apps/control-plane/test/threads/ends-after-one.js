import { parentPort } from 'node:worker_threads';

parentPort.postMessage({ thread: null }, []);
parentPort.once('message', () => {
  parentPort.postMessage({ done: 'found' }, []);
  parentPort.close();
});
