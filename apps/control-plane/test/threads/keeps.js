import { parentPort } from 'node:worker_threads';

const kept = [];
const perMebibyte = 2 ** 20 / 8;

parentPort.postMessage({ thread: null }, []);
parentPort.on('message', ({ given }) => {
  for (let n = 0; n < given.document.mebibytes; n++)
    kept.push(Array.from({ length: perMebibyte }, () => n + 0.5));
  parentPort.postMessage({ done: 'kept' }, []);
});
