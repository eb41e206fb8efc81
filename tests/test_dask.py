"""Dask: the same answer from any number of chunks on any scheduler, and when a worker dies in the middle."""

import itertools
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from linclass import descent, kernels, logistic, losses, perceptron, representer, separability, softmax, svm
from linclass._rows import on_dask

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def data():
    """20000 examples, 6 inputs, two labels and three classes, neither separable."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 6)) * [1, 2, 0.5, 1, 1, 3] + [0, 1, 0, 0, -1, 0]
    s = X @ [1.0, -0.5, 0.5, 0.0, 0.2, 0.1] + rng.logistic(size=len(X))
    return X, np.where(s > 0, 1.0, -1.0), (s > -1).astype(int) + (s > 1)


def chunked(array, count):
    """A Dask array in that many chunks of rows."""
    return da.from_array(array, chunks=(-(-len(array) // count), *array.shape[1:]))


def same(one, other):
    """Two logistic fits that agree."""
    assert one.converged and other.converged
    np.testing.assert_allclose(other.model.theta, one.model.theta, rtol=0, atol=1e-8)
    assert other.model.theta_0 == pytest.approx(one.model.theta_0, abs=1e-8)


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes; one cluster for all tests here, since they are slow to start."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(os.getpid)  # they are there
        yield client


@pytest.mark.parametrize("count", [1, 3, 17])
@pytest.mark.parametrize("lam", [0.0, 0.01])
def test_any_number_of_chunks_on_threads(data, count, lam):
    X, y, k = data
    with dask.config.set(scheduler="threads"):
        same(logistic.fit_logistic(X, y, lam=lam), logistic.fit_logistic(chunked(X, count), chunked(y, 5), lam=lam))
        one, other = softmax.fit_softmax(X, k, lam=lam), softmax.fit_softmax(chunked(X, count), chunked(k, 2), lam=lam)
    # Their first samples differ, and each stops when it is proved: the risks agree to many more digits than Theta does.
    assert other.history[-1] == pytest.approx(one.history[-1], rel=1e-12)
    np.testing.assert_allclose(other.model.Theta, one.model.Theta, rtol=0, atol=1e-7)


def test_few_rows_are_fitted_as_exactly(data):
    X, y, _ = (part[:500] for part in data)
    with dask.config.set(scheduler="threads"):
        for lam in (0.0, 0.01):
            same(logistic.fit_logistic(X, y, lam=lam), logistic.fit_logistic(chunked(X, 3), chunked(y, 3), lam=lam))


def test_columns_in_chunks_and_chunks_without_rows(data):
    X, y, _ = data
    with dask.config.set(scheduler="threads"):
        same(logistic.fit_logistic(X, y), logistic.fit_logistic(da.from_array(X, chunks=(7000, 2)), chunked(y, 1)))
        kept = chunked(X, 4)[:, 0] > 0  # chunks of unknown length
        A, b = chunked(X, 4)[kept], chunked(y, 4)[kept]
        same(logistic.fit_logistic(X[X[:, 0] > 0], y[X[:, 0] > 0]), logistic.fit_logistic(A, b))


def test_tables(data):
    import pandas as pd

    X, y, _ = data
    frame = dd.from_pandas(pd.DataFrame(X, columns=list("abcdef")).assign(label=y), npartitions=4)
    with dask.config.set(scheduler="threads"):
        same(logistic.fit_logistic(X, y), logistic.fit_logistic(frame[list("abcdef")], frame["label"]))


def test_processes(data):
    X, y, _ = data
    one = logistic.fit_logistic(X, y, lam=0.01)
    with (
        ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool,
        dask.config.set(scheduler="processes", pool=pool),
    ):
        for count in (1, 3, 17):
            same(one, logistic.fit_logistic(chunked(X, count), chunked(y, count), lam=0.01))


@pytest.mark.long
def test_a_cluster(data, cluster):
    X, y, _ = (part[:2000] for part in data)
    one = logistic.fit_logistic(X, y, lam=0.01)
    for count in (1, 3, 17):
        same(one, logistic.fit_logistic(chunked(X, count), chunked(y, count), lam=0.01))


def test_only_sums_travel(data, monkeypatch):
    """No result that a fit asks for is longer than a Hessian."""
    X, y, _ = data
    computed, compute = [], dask.compute
    monkeypatch.setattr(dask, "compute", lambda *tasks: computed.append(compute(*tasks)) or computed[-1])
    with dask.config.set(scheduler="threads"):
        logistic.fit_logistic(chunked(X, 5), chunked(y, 5), lam=0.01)
    parts = [part for results in computed for result in results for part in result]
    assert len(computed) > 5 and max(np.size(part) for part in parts) == 7 * 7


def test_the_names_of_tasks_say_what_they_do():
    from dask.utils import key_split

    assert key_split(on_dask._name("pass", 3)["dask_key_name"]) == "linclass_pass"


@pytest.mark.parametrize("sampling, keep", [("cycle", "best"), ("cycle", "average")])
def test_sgd_goes_to_the_rows(data, sampling, keep):
    X, y, _ = (part[:3000] for part in data)
    arguments = {"lam": 0.01, "eta": descent.inverse_sqrt_step(0.1), "epochs": 2, "sampling": sampling, "keep": keep}
    one = descent.fit_sgd(X, y, losses.HINGE, rng=np.random.default_rng(0), **arguments)
    with dask.config.set(scheduler="threads"):
        for count in (1, 3, 17):
            A, b = chunked(X, count), chunked(y, count)
            other = descent.fit_sgd(A, b, losses.HINGE, rng=np.random.default_rng(0), **arguments)
            np.testing.assert_allclose(other.model.theta, one.model.theta, rtol=0, atol=1e-8)
            np.testing.assert_allclose(other.history, one.history, rtol=1e-10)


@pytest.mark.long
def test_sgd_draws_as_it_does_on_blocks(data, cluster):
    X, y, _ = (part[:3000] for part in data)
    blocks = [(X[i : i + 1000], y[i : i + 1000]) for i in range(0, 3000, 1000)]
    here, there = np.random.default_rng(0), np.random.default_rng(0)
    one = descent.fit_sgd(blocks, None, losses.LOGISTIC, eta=0.1, epochs=2, batch=7, rng=here)
    other = descent.fit_sgd(chunked(X, 3), chunked(y, 3), losses.LOGISTIC, eta=0.1, epochs=2, batch=7, rng=there)
    np.testing.assert_allclose(other.model.theta, one.model.theta, rtol=0, atol=1e-8)
    assert here.random() == there.random()


def test_a_bad_chunk_is_named(data):
    X, y, _ = (part[:4000].copy() for part in data)
    X[2500, 1] = np.nan
    with dask.config.set(scheduler="threads"):
        with pytest.raises(ValueError, match=r"X of block 2 must be finite; got NaN or infinity at index \(500, 1\)"):
            logistic.fit_logistic(chunked(X, 4), chunked(y, 4))
        with pytest.raises(ValueError, match="y of block 3 must be a vector of labels"):
            logistic.fit_logistic(chunked(np.nan_to_num(X), 4), chunked(np.append(y[:-1], 3), 4))
        with pytest.raises(ValueError, match="y must be of Dask, as X is"):
            logistic.fit_logistic(chunked(X, 4), y)
        with pytest.raises(ValueError, match="X must be a matrix"):
            logistic.fit_logistic(chunked(X[:, 0], 4), chunked(y, 4))
        with pytest.raises(ValueError, match=r"y of block 0 must be of length|y must be in 4 chunks"):
            logistic.fit_logistic(chunked(X, 4), chunked(y[1:], 3))
    with pytest.raises(ValueError, match=r"fit_svm.* needs all rows at once"):
        svm.fit_svm(chunked(X, 4), chunked(y, 4), lam=1.0)


# --- Chunks that are not the same when they are computed again -----------------------------------------------------

CHANGES = {
    "a number": lambda X, y: (np.where(np.arange(6) == 2, X + 1e-9, X), y),
    "NaN": lambda X, y: (np.where(np.arange(6) == 2, np.nan, X), y),
    "a label": lambda X, y: (X, np.append(y[-1], y[:-1])),
    "two columns": lambda X, y: (X[:, [0, 2, 1, 3, 4, 5]], y),
    "rows in another order": lambda X, y: (X[::-1], y[::-1]),
    "shorter": lambda X, y: (X[:-1], y[:-1]),
    "longer": lambda X, y: (np.vstack([X, X[:1]]), np.append(y, y[:1])),
    "empty": lambda X, y: (X[:0], y[:0]),
    "strings": lambda X, y: (X.astype(str), y),
    "None": lambda X, y: (None, None),
}
LEARNERS = {
    "logistic": lambda make, y, k: logistic.fit_logistic(*make(y), lam=0.01),
    "softmax": lambda make, y, k: softmax.fit_softmax(*make(k), lam=0.01),
    "sgd": lambda make, y, k: descent.fit_sgd(*make(y), losses.HINGE, eta=0.01, epochs=2, rng=np.random.default_rng(0)),
}


def changing(X, y, change, number):
    """X and y in four chunks, of which chunk 1 is changed from the `number`th time on that it is computed."""

    def chunk(part, k):
        times = itertools.count(1)

        def load():
            rows = slice(1000 * k, 1000 * (k + 1))
            pair = X[rows], y[rows]
            return (change(*pair) if k == 1 and next(times) >= number else pair)[part]

        return dask.delayed(load, pure=False)()

    Xs = [da.from_delayed(chunk(0, k), (1000, 6), dtype=float) for k in range(4)]
    ys = [da.from_delayed(chunk(1, k), (1000,), dtype=y.dtype) for k in range(4)]
    return da.concatenate(Xs), da.concatenate(ys)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize("what", CHANGES)
def test_chunks_that_change_between_passes_are_refused(data, learner, number, what):
    X, y, k = (part[:4000] for part in data)
    with (
        dask.config.set(scheduler="synchronous"),
        pytest.raises(ValueError, match=rf"block 1 in pass {number} must be"),
    ):
        LEARNERS[learner](lambda labels: changing(X, labels, CHANGES[what], number), y, k)


def test_an_empty_chunk_that_fills_is_refused(data):
    X, y, _ = (part[:2000] for part in data)
    times = itertools.count(1)
    late = dask.delayed(lambda: X[: next(times) > 1], pure=False)()
    unknown = [da.from_delayed(part, (np.nan, 6), dtype=float) for part in (dask.delayed(X), late)]
    labels = [da.from_delayed(dask.delayed(part), (np.nan,), dtype=float) for part in (y, y[:0])]
    with (
        dask.config.set(scheduler="synchronous"),
        pytest.raises(ValueError, match=r"block 1 in pass 2 must be .*, 0 rows of 6 columns; got X of shape \(1, 6\)"),
    ):
        logistic.fit_logistic(da.concatenate(unknown), da.concatenate(labels), lam=0.01)


def unseeded(X):
    """The chunk with noise that is drawn anew whenever it is computed."""
    return X + np.random.default_rng().normal(size=X.shape)


@pytest.mark.parametrize("scheduler", ["threads", pytest.param("cluster", marks=pytest.mark.long)])
def test_noise_without_a_seed_is_refused(data, scheduler, request):
    X, y, _ = (part[:4000] for part in data)
    where = {"scheduler": request.getfixturevalue("cluster") if scheduler == "cluster" else scheduler}
    A = chunked(X, 4).map_blocks(unseeded, dtype=float, meta=np.empty((0, 0)))
    with (
        dask.config.set(**where),
        pytest.raises(ValueError, match=r"block \d in pass 2 must be the same as in the first"),
    ):
        logistic.fit_logistic(A, chunked(y, 4), lam=0.01)


def test_without_dask_the_message_says_what_to_install(data, monkeypatch):
    X, y, _ = data
    A, b = chunked(X, 4), chunked(y, 4)
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(ValueError, match=r"pip install 'linclass\[dask\]'"):
        logistic.fit_logistic(A, b)


def deadly(X, folder, number, block_info=None):
    """The block, but the worker that is asked for block 2 the `number`th time dies."""
    if block_info and block_info[0]["chunk-location"][0] == 2:
        visit = len(os.listdir(folder))
        open(os.path.join(folder, f"{visit}-{os.getpid()}"), "x").close()
        if visit == number:
            os.kill(os.getpid(), signal.SIGKILL)
    return X


@pytest.mark.long
def test_a_worker_that_dies_does_not_change_the_answer(data, cluster, tmp_path):
    X, y, _ = data
    A = chunked(X, 4).map_blocks(deadly, str(tmp_path), 4, dtype=float, meta=np.empty((0, 0)))
    fit = logistic.fit_logistic(A, chunked(y, 4), lam=0.01)
    same(logistic.fit_logistic(X, y, lam=0.01), fit)
    workers = [path.name.split("-") for path in tmp_path.iterdir()]
    assert len(workers) > 6  # it went on after the death
    (dead,) = (pid for visit, pid in workers if visit == "4")
    assert dead not in {pid for visit, pid in workers if int(visit) > 4}


def hard_data(kind):
    """Times of beginning and end, a column twice, or one row far away: data on which the fast path declines."""
    rng = np.random.default_rng(0)
    begin, duration = rng.uniform(0, 3e7, 400), rng.exponential(size=400)
    y = np.where(2 * duration + rng.logistic(size=400) > 2, 1.0, -1.0)
    X = np.column_stack([begin, begin + duration] if kind == "times" else [duration, rng.normal(size=400)])
    if kind == "a column twice":
        X = X[:, [0, 1, 0]]
    if kind == "a row far away":
        X[17] = 1e9
    return X, y


@pytest.mark.parametrize("lam", [0.0, 1e-4])
@pytest.mark.parametrize("kind", ["times", "a column twice", "a row far away"])
def test_what_is_hard_on_arithmetic_is_certified_from_chunks_too(kind, lam):
    X, y = hard_data(kind)
    with dask.config.set(scheduler="threads"):
        for fit, labels in ((logistic.fit_logistic, y), (softmax.fit_softmax, (y > 0).astype(int))):
            one, other = fit(X, labels, lam=lam), fit(chunked(X, 5), chunked(labels, 5), lam=lam)
            assert one.converged and other.converged, other.message
            assert other.history[-1] == pytest.approx(one.history[-1], rel=1e-7)


@pytest.mark.long
def test_the_same_on_a_cluster(cluster):
    X, y = hard_data("times")
    assert logistic.fit_logistic(chunked(X, 5), chunked(y, 5), lam=1e-4).converged


def test_models_answer_chunk_by_chunk(data):
    X, y, k = data
    one, many = logistic.fit_logistic(X, y), softmax.fit_softmax(X, k)
    for given in (chunked(X, 7), dd.from_dask_array(chunked(X, 7))):
        for model, asked in ((one.model, ("scores", "predict", "probabilities")), (many.model, ("scores", "predict"))):
            for name in asked:
                answer = getattr(model, name)(given)
                assert isinstance(answer, da.Array)
                np.testing.assert_allclose(answer.compute(), getattr(model, name)(X))
    with pytest.raises(ValueError, match="X must be finite"):
        one.model.scores(chunked(np.where(X > 3, np.nan, X), 7)).compute()


def test_what_needs_all_rows_refuses_chunks(data):
    X, y, _ = (chunked(part[:100], 2) for part in data)
    for refused in (
        lambda: perceptron.fit_perceptron(X, y),
        lambda: separability.find_separator(X, y),
        lambda: representer.fit_kernel_svm(X, y, kernels.linear_kernel, lam=0.1),
    ):
        with pytest.raises(ValueError, match="X must be in memory"):
            refused()
